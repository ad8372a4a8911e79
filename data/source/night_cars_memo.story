From: Oda Hembry, Skarrow Fell Observatory

To: Piers Callander, Ellary Ropeway Cooperative

Date: 3 September 2018

Dear Piers, thank you for the evening on Thursday and for the sketch of the timetable, which I have now shown to the keepers. They were pleased, and then they began to find difficulties, as is their duty. I set these down here in the order of their weight so that you can put them before your crew and we need not all meet again until the blackberries are over.

First, the hour. You offered a last car from the top at 22:30 on Fridays. We should like to ask for 23:40. The reason is the sky and not the company. From November to February the Hunter does not clear the shoulder of Dunlaw before half past nine, and a visitor who has climbed into your car at half past six, been given cocoa and stood for an hour under cloud deserves to see it. If your people cannot stay so long I shall understand, and any time after eleven would still be a great gain over the present half past eight. {#mm-hour}

Second, the lamps. A car with a white lamp crossing the western sky costs us about six minutes of every exposure, since we have to shut the plate until it has passed behind tower seven. With amber glass, and a hood over the upper half, we believe that the loss would be nothing at all. Aurel Pontifex's great-granddaughter still has the shop in Tallow Street and can cut the glass. I have asked her for a price, and she wants 14 crowns a lamp, which the Trust will gladly pay for all of the cars. {#mm-lamps}

Third, the noise. This is a small thing. The hauling rope sings when the wind is from the south, and the singing comes down into the pillar of the telescope as a tremble of about one second of arc. Your engineer told Tobin Arkwell that a slower speed would cure it. If the late cars could be run at four metres a second in place of six, the journey would be longer by some eight minutes, but nobody is in a hurry at that hour and the stars would hold still. {#mm-noise}

Fourth, the money. We cannot pay you for the crossings, as the will of our founder does not let the Trust spend on transport. What we can do is to write to the council in support of your request, and I have done so; a copy is with this letter. I told them that last winter we turned away 212 people who had asked for a place on an open night, almost all of them because they had no way down afterwards. That figure is from Tobin's own list and you may quote it. {#mm-turned-away}

There is also some news that touches you, since you have shared so many lemons with him. Tobin will give up the post of senior keeper at the end of March and move down to his sister's house on the quay. The Trust has chosen Brisa Holloway to come after him. She has been with us for six years, she is the one who repaired your telephone in the storm, and she is the only keeper I have known who can tell the clocks apart by their ticking. Please be kind to her about the twelve steps to the top station, which she has already offered to rebuild. {#mm-successor}

One more request, on behalf of the university. Dr Osterhild will need to fetch her envelopes from our cellar on some day in the second half of October, depending on the tide, and she will have a crate with her that must not be tilted. Would you let the attendant know that it is only seeds? The last time it was taken for a bomb. {#mm-crate}

I shall be in the town every day of the coming week except Tuesday, and you can find me at my desk above the chandler's from ten. If it is simpler, send an answer up with the post. I remain, with all good wishes for your ropes, your neighbour Oda.
