# Waiting for the Second Tide: Delayed Germination in the Tidal Lantern on the Ellary Flats

% Maren Osterhild, Jorun Patchell and Ibrahim Vale-Tarrant

% Department of Shore Botany, University of Dunlaw, 14 March 2018

## Abstract

The tidal lantern (*Lychnella tardiva*) is a small annual of brackish mud, known only from the estuary of the Ellary. Its seeds fall in spring and lie on the surface for months before any of them sprouts. We followed 2,880 seeds from six stations through two growing seasons and found that germination is set off neither by warmth nor by rain but by the second spring tide after the autumn equinox. Seeds that were kept dry and cool for as long as three years still responded. Trampling by carts in the weeks of seed fall reduced the number of seedlings by more than half. We give a simple rule for the protection of the species. {#pp-abstract}

## 1 Introduction

Few plants of the shore are as easily overlooked as the tidal lantern. For half of the year it consists of a seed, no larger than a grain of coarse salt, lying on the mud among a great many grains of coarse salt. For most of the other half it is a flat rosette the width of a coin. In March it grows to the height of a hand, opens a single green flower with four lobes, sets between nine and fourteen seeds in a papery bladder, and dies. It is the bladder, which is lit from behind when the sun is low, that gives the plant its name. {#pp-plant}

The species was described in 1902 by the schoolmaster Edmer Quoll, who found it beside the causeway at Brinnoch and took it at first for the shed skin of an insect. Quoll noticed that the seeds did not sprout when they fell and proposed that they were waiting for cold weather [1]. His explanation has been copied from one flora to the next ever since. It was never tested, and we became doubtful of it when seedlings failed to appear after the very cold winter of 2012. {#pp-quoll}

A different explanation was offered by Harrowgate-Lund, who suggested that the seed coat must be worn through by moving sand [2]. On exposed shores such wear is common. The Ellary flats, however, are among the stillest waters on that coast, and seed coats collected after six months on the mud show no scratches under the microscope.

### 1.1 The question

Why does a plant that lives for less than a year waste half of it? A seed that sprouted in June would have warm mud, long days and little competition. We supposed that the delay must pay for itself in some way connected with the tide, because the tide is the one thing on the flats that kills seedlings in large numbers. A seedling younger than about twelve days is lifted out of the mud by any water deeper than a finger.

### 1.2 What is at stake

The tidal lantern grows nowhere else. The whole population in 2015 was estimated at 61,000 flowering stems, three quarters of them within two kilometres of the causeway. The town of Brinnoch carts gravel and seaweed over the causeway in spring, and it has been asked more than once to stop. It is reasonable for the town to want to know which weeks matter and why. {#pp-population}

## 2 Study area

The estuary of the Ellary opens to the west between two low points of clay. Between them lie some nine square kilometres of mud and sand that are covered at high water and bare at low. The range of the tide is 3.8 metres at springs and 1.6 metres at neaps. East of the flats the ground rises steeply to Skarrow Fell, whose summit stands 2,113 feet above the river, and the shadow of the hill reaches the upper stations before five in the afternoon in winter. {#pp-height}

### 2.1 Stations

We worked at six stations, lettered A to F from the sea to the land. A and B lie on open mud, C and D on either side of the causeway, E in the mouth of a creek, and F beside a pond on the shoulder of the fell, far above the reach of any tide. Station F was included because the keepers of the observatory told us that the plant grew there, which no botanist had believed. It is fed by spray carried up the valley in westerly gales, and its water is about one ninth as salty as the estuary's. {#pp-stations}

### 2.2 Weather

Rain, temperature and wind were taken from the automatic mast at Dunlaw, fourteen kilometres to the east. The two seasons of the study differed strongly. The first, from spring 2015 to spring 2016, was mild and wet, with 1,120 millimetres of rain; the second was dry, with 704 millimetres, and had 31 nights of frost against 9 in the year before. A hypothesis of cold and a hypothesis of rain would therefore make opposite predictions for the two years, and this was luck rather than design. {#pp-weather}

## 3 Methods

### 3.1 Collecting and sowing

Seeds were collected by hand from ripe bladders between 12 April and 18 May 2015, the whole period over which we saw any fall. At each station 480 seeds were sown on the day of collection in eight trays of sixty, sunk level with the mud and covered with a net of two-millimetre mesh. The nets kept out snails and shorebirds but not water. Trays were inspected every third day from August onwards, and every seedling was marked with a pin of coloured glass so that none could be counted twice. {#pp-collecting}

### 3.2 Stored seed

A further 900 seeds, collected in 2014, were put aside in paper envelopes to find out how long they would keep. Half were stored in a heated room in the department. The other half were lent shelf space, through the kindness of the Varnham Trust, in the clock cellar of the observatory on Skarrow Fell, where the temperature does not change from one month to the next. Lots of fifty seeds were taken from each store after one, two and three years and wetted with water from the estuary on the date of the second spring tide. {#pp-stored}

### 3.3 Treatments in the tank

To separate the effect of the tide from the effect of the season, 600 seeds were kept in a tank in which the water could be raised and lowered at will. Five treatments of 120 seeds each were compared: constant damp, daily shallow flooding, one deep flooding, two deep floodings fourteen days apart, and two deep floodings with fresh water in place of salt. The lights over the tank were kept on a fixed day of eleven hours so that the seeds could not tell the time of year from them. {#pp-tank}

### 3.4 Trampling

On 2 May 2016, a loaded cart with a gross weight of 740 kilograms was drawn once across half of the trays at stations C and D, while the other half were left alone. The cart was lent by the harbour office, and its driver, who has worked on the causeway for thirty years, was of the opinion that it would make no difference. He was kind enough to help with the counting in the following year. {#pp-cart}

### 3.5 Analysis

The share of seeds that had sprouted by day *t* after the second spring tide was described by a curve with two free numbers, a final share *S* and a pace *p*:

= g(t) = S (1 - exp(-t / p)) (1)

Both were fitted by least squares for each tray, and stations were compared by shuffling trays between them ten thousand times. No tray was left out. All counts are kept in the library of the department and may be copied by anyone who asks.

## 4 Results

### 4.1 Timing

At every tidal station germination began within four days of the second spring tide after the autumn equinox, and at none did it begin before. In 2015 that tide fell on 27 October, and the first seedling was seen at station B on 29 October. In 2016 it fell on 16 October, eleven days earlier, and the first seedling, again at B, was seen on 19 October. The frost came in the second year before the tide and in the first year after it; rain fell before and after in both. Neither made any difference that we could detect. {#pp-timing}

At the pond the picture was otherwise. There the seeds sprouted in a thin trickle from September to February, with no peak at any date, and only 7 per cent of them sprouted at all. The plants of station F seem to be living on a signal that never arrives, and we suspect that they are renewed from time to time by seeds that come up with the spray. {#pp-pond}

### 4.2 Final share

The final share of seeds that sprouted is given for each station in Table 1. It was highest on the open mud and fell towards the land. The pace *p* was close to 17 days at all of the tidal stations, which is to say that two thirds of those seeds that would sprout at all had done so within about two and a half weeks of the tide. {#pp-pace}

Table 1. Seeds sown and final share sprouted at each station, first season, without trampling.

| Station | Place | Seeds | Share (%) |
| A | Open mud, outer | 480 | 71 |
| B | Open mud, inner | 480 | 78 |
| C | Causeway, north | 480 | 64 |
| D | Causeway, south | 480 | 59 |
| E | Creek mouth | 480 | 52 |
| F | Pond on the fell | 480 | 7 |
{#pp-table}

### 4.3 The tank

In the tank hardly anything happened under constant damp or daily shallow flooding: 3 and 5 seeds of 120 sprouted. One deep flooding raised the number to 14. Two deep floodings with salt water, fourteen days apart, raised it to 93, which is as good as the best station in the field. The same two floodings with fresh water gave 22. The seed therefore counts to two, and it wants salt in the counting. We know of no other plant of which this has been shown. {#pp-tank-result}

Two further trays, which are not part of the count, were flooded twice at a distance of seven days instead of fourteen. They behaved as if they had been flooded once. It seems that something in the seed has to be made ready between the first wetting and the second, and that a week does not suffice for it. We cut open ten seeds on every day of the interval and found that the tip of the root turns from white to a pale straw colour about nine days after the first flooding; whether the colour is a cause, a consequence or a bystander we cannot say. {#pp-interval}

Table 2. Seeds sprouted in the tank, out of 120 in each treatment.

| Treatment | Sprouted |
| Constant damp | 3 |
| Daily shallow flooding | 5 |
| One deep flooding | 14 |
| Two deep floodings, salt | 93 |
| Two deep floodings, fresh | 22 |
{#pp-tank-table}

### 4.4 Storage

Seeds kept in the cellar did far better than those in the heated room. After three years 68 per cent of the cellar seeds sprouted when they were wetted, against 11 per cent of the others. A single envelope that had been mislaid in the cellar by a former student, and that bore the date 1994, was also tried. Two of its forty seeds sprouted, and one of the plants flowered. {#pp-storage}

### 4.5 Carts

A single passage of the cart reduced the final share of sprouted seeds from 61 to 26 per cent, taking stations C and D together. The damage was greatest where the wheel had pressed the seed deeper than eight millimetres. Seeds pressed to that depth were still alive, as cutting them open showed, but the second tide no longer seemed to reach them. A year later many of them had rotted. {#pp-cart-result}

## 5 Discussion

### 5.1 Why two tides

The highest water of the year on the flats comes with the first spring tide after the autumn equinox, when the sea is full and the autumn gales begin. A seedling that stood on the mud at that moment would be torn up. By waiting for the second of the two tides the seed makes sure that the first has passed. After the second the springs grow weaker until the new year, and the young plant has some ten quiet weeks in which to put down its root. In this light the lost summer is not lost; it is the price of a safe autumn.

This is no more than a likely story. To make it a proof one would need a flat on which the largest tide came at another time of year, and plants that had adjusted themselves to it. As the species has only one home, we cannot offer such a place. What we can offer is the failed seedlings of the tank: those plants that sprouted after a single flooding were in every respect healthy, and on the flats every one of them would have been drowned.

### 5.2 Quoll and his winter

It is pleasant to report that Quoll was nearly right. He observed that the seeds were waiting, that they waited until the weather turned, and that warmth did not hurry them. He lived in a time when the mud was thought of as land that was sometimes wet instead of sea that was sometimes dry, and so he looked for his answer in the air. His own notebook, kept in the town museum, records the dates of first seedlings for nineteen years. In seventeen of the nineteen the date falls within five days of the second spring tide, as anyone could have seen who had put a tide table beside it. {#pp-notebook}

### 5.3 What the town might do

Our advice is short. Carts do no harm at all from the end of May until the following April, because the seeds that matter are then either on the plant or sprouted and firm. They do great harm during the weeks of seed fall. If the causeway were closed to wheels for those weeks alone, which is less than a tenth of the year, we would expect the number of stems near it to double within four years. A diversion by the north bank would add 1.4 kilometres to each journey. {#pp-advice}

We advise against fences. A fence would gather weed, the weed would shade the mud, and the lantern does not grow in shade. A notice and a chain would be enough, and the chain could be hung by the harbour office, which already goes out every day to read the gauge.

### 5.4 The pond

Station F remains a puzzle. The plants there are smaller than those of the flats, their flowers have as often three lobes as four, and their bladders hold no more than six seeds. If they were raised from spray alone we should expect to find them along the whole of the valley, and we find them only at the pond. The keepers of the observatory believe that the first of them came up in the fleece of a mule. This would place their arrival before the building of the ropeway, and the colony would then be at least eighty-five years old. We have no better idea, and we have sent seeds from the pond to be compared with those from the flats. {#pp-mule}

### 5.5 Limits

Our study has three weaknesses that the reader should bear in mind. It covered two seasons only. The trampling was done by one cart on one day. And the nets over our trays, though they let in the water, may have slowed it, so that our shares are likely to be a little higher than those of seed on bare mud. A count on bare mud at station B, made in the second season with no nets at all, gave 69 per cent, nine points lower than under the net in the first. {#pp-limits}

## 6 Conclusion

The tidal lantern waits for the second spring tide after the autumn equinox, and it knows that tide by a second deep wetting with salt water. Cold, rain and worn seed coats have nothing to do with it. Its seed keeps well in a cool place and badly in a warm one. The plant can be protected at small cost by keeping wheels off the causeway while the seed is falling, and by leaving it alone for the rest of the year, which it mostly spends in doing nothing that anyone can see.

## Acknowledgements

We thank the keepers of the observatory on Skarrow Fell for shelf space, cocoa and the discovery of station F; the harbour office for the loan of a cart and a driver; and the museum at Brinnoch for leave to read the notebook of Edmer Quoll. The work was paid for by the Fund for Unprofitable Plants under grant 77-Q. {#pp-grant}

## References

[1] E. Quoll. On a small plant of the Ellary mud. *Transactions of the Brinnoch Natural Society*, volume 4, pages 11 to 19, 1902.

[2] S. Harrowgate-Lund. Abrasion and the seed coat in plants of sheltered shores. *Dunlaw Journal of Botany*, volume 31, pages 202 to 230, 1968.

[3] P. Anselm-Roe. Tide tables for the Ellary, with corrections. Harbour Office, Brinnoch, 2014.

[4] J. Patchell. Counting what does not move: marking seedlings with glass. *Proceedings of the Shore Methods Meeting*, pages 77 to 83, 2013.

[5] M. Osterhild and C. Dray. A census of the tidal lantern. *Dunlaw Journal of Botany*, volume 78, pages 5 to 24, 2015.
