# Minutes of the Town Council of Brinnoch

% Meeting held in the Net Loft on Thursday, 20 September 2018, at half past seven in the evening

## Present and absent

The following members were present, with the mayor, Philippa Garrow, in the chair:

- Councillor Anselm Roe, harbour and shore {#mn-roe}
- Councillor Wenna Strake, roads and lighting {#mn-strake}
- Councillor Tibor Haldane, schools and the museum
- Councillor Greta Munnion, accounts
- Councillor Odalys Frame, without portfolio

Councillor Ruben Sark had sent his excuses, being at sea. The town clerk, Ines Corrigan, took the minutes. Twenty-three members of the public were in the room at the beginning and four at the end. {#mn-clerk}

## Minutes of the last meeting

The minutes of the meeting of 23 August were read and approved with one correction: the sum voted for the repair of the slipway was 2,750 crowns and not 27,500. Councillor Munnion asked that it be recorded that she had slept badly for a month on account of that nought. {#mn-slipway}

## Late cars on the ropeway

Councillor Strake declared an interest as the chair of the Ellary Ropeway Cooperative and left the room. The clerk then read two letters, one from the manager of the cooperative, who asked for help in running late cars on Fridays through the coming winter, and one from the director of the observatory in support.

The cooperative put the cost of a second attendant, of heating and of power at 21,700 crowns for the season from November to March. It expected to recover some part of this from fares and asked the town for the rest. Councillor Haldane spoke warmly in favour. He said that the young people of Brinnoch had at present the choice between the two public houses and the sky, and that the sky shut at half past eight. Councillor Frame wished to know why the town should pay for the pleasures of those who could afford a ticket, and was told by several voices from the floor that a ticket cost less than a pint. {#mn-cost}

After discussion it was resolved:

- to make a single grant of 18,500 crowns to the cooperative for late cars in the winter of 2018 to 2019; {#mn-grant}
- to require a count of the passengers on every late car, to be sent to the clerk by the end of April;
- to make no promise for any later winter.

The motion was carried by four votes to one, with Councillor Frame voting against. Councillor Strake returned and was told the result, at which she was seen to be pleased. {#mn-vote}

## Street lighting

The clerk reminded the meeting of the agreement with the Varnham Trust under which the lamps are dimmed in the dark half of the year. The director of the observatory had asked whether the hour might be brought forward to 22:00. Councillor Strake, for roads and lighting, reported that the new lamps in Tallow Street and on the quay could be set to any hour without cost, whereas the 64 older lamps in the upper town had to be reached with a ladder and altered one by one, at 11 crowns a lamp. {#mn-old-lamps}

Mrs Beatrix Oldroyd, of Upper Street, said from the floor that she had fallen on the steps by the chapel in the dark of last January and that stars were all very well. The mayor thanked her and expressed the sympathy of the council. Councillor Roe proposed a middle way, and it was resolved that from 1 October 2018 the street lamps be dimmed at 22:30 instead of 23:00, that the lamp by the chapel steps be left at full strength all night, and that the matter be looked at again in a year. The motion was carried without a vote against. {#mn-lamps}

## The causeway and the tidal lantern

Dr Maren Osterhild of the University of Dunlaw attended for this item. She summed up the study of the tidal lantern that her department had published in the spring and answered questions. Asked by Councillor Frame what the plant was for, she said that it was not for anything, and that this was what she liked about it.

The harbour office had reckoned that about 340 cartloads cross the causeway in a usual April and May, mostly gravel for the boatyard. Were they to go round by the north bank, each would take some twenty-five minutes longer. Mr Garth Pellow, who owns the boatyard, said that he could live with this for a month but not for a season, and that he would want the potholes of the north bank filled first. Councillor Roe thought that the potholes could be filled with the gravel of the first day. {#mn-cartloads}

It was resolved, by five votes to none:

- to close the causeway to all wheeled traffic from 9 April to 20 May in every year, beginning in 2019; {#mn-closure}
- to hang a chain with a notice at either end, the harbour office to be in charge of the key;
- to set 3,900 crowns aside for the repair of the north bank road before the first closure; {#mn-northbank}
- to exempt the doctor, the fire engine and the hearse. {#mn-exempt}

Dr Osterhild thanked the council and pointed out that the dates allowed some days more on either side than her study had asked for. The mayor replied that plants could not be expected to read the minutes.

## The museum

Councillor Haldane reported that the retired car of the ropeway had been set up in the garden and had already been visited by 1,150 people, a good number of whom had gone on to enter the museum by mistake. The notebook of Edmer Quoll will be shown from November in a case given by the Natural Society. The roof over the whale is leaking again. It was agreed to obtain three prices for the roof, and in the meantime to move the whale. {#mn-museum}

## Numbers of the town

The clerk laid before the meeting the return of inhabitants for the year. On the first of July there were 4,310 persons living in Brinnoch, 26 more than a year ago, in 1,872 households. The school had 388 pupils. Councillor Munnion observed that the town now had almost as many inhabitants as it had had in 1931, before the salt works closed, and that it had done so without anyone having planned it. {#mn-population}

## Accounts

Councillor Munnion presented the accounts to the end of August. Of the 96,000 crowns voted for works in the year, 71,450 had been spent. Harbour dues had brought in 33,280 crowns, some two thousand more than had been expected, because of the Orleford dredger, which had been obliged to lie at the quay for five weeks with a broken shaft. The accounts were received with thanks. {#mn-accounts}

The following payments were approved:

- 1,240 crowns to Pontifex and Daughter for forty lamp glasses;
- 615 crowns to the chapel for the use of its hall during the repair of the school stove; {#mn-hall}
- 88 crowns to Mr Elias Trow for the removal of a hornets' nest from the ballot box.

## Other business

Councillor Roe gave notice that the swing bridge will be closed to boats from 7 to 11 January for the renewal of its timbers. Councillor Frame asked whether the clock on the customs house, which has been eleven minutes fast since the spring, could be corrected. The clerk explained that the observatory had offered to do so free of charge, but that the fishermen had asked for it to be left alone, as they had grown used to being early. It was agreed to leave it. {#mn-clock}

The mayor closed the meeting at ten minutes to ten. The next will be held on Thursday, 18 October 2018, in the same place, or in the school if the nets are wanted. {#mn-next}
