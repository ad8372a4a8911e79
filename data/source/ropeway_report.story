# Annual Report 2018

% Ellary Ropeway Cooperative, Brinnoch

% Presented to the members at the general meeting of 9 March 2019 {#rp-meeting}

<<newpage>>

## From the chair

Dear members, the line ran on 341 days in the year under report, which is nine more than in the year before and the best figure since the new rope was hung. We lost fourteen days to wind, six to the yearly inspection and four to a fault in the lower engine that is described further on. No passenger was hurt. One goat was, slightly, and has been compensated in turnips. {#rp-days}

It has been a year of decisions. In June we took delivery of the last of the new cars, so that the old ones with the leather straps have now all been retired; one stands in the garden of the museum, and children are allowed to ring its bell. In the autumn, after a long correspondence with the observatory and a shorter one with the town, we began to run late cars on winter Fridays. Some of you thought that nobody would use them. I was one of those, and I have had to buy my colleague Piers Callander the dinner that we had staked on it. {#rp-bet}

The cooperative is in sound health. It made a surplus, it put money aside for the next rope, and its debt to the savings bank will be paid off within three years if nothing breaks. Things do break. But they have been breaking in an orderly manner, one at a time and in working hours, and I wish to thank the crew of the engine house for that.

I have served as your chair for eight years, and the rules do not allow a ninth in a row. It has been an honour to be scolded by you at eight general meetings. I shall stay on the board as an ordinary member for as long as I am useful.

Wenna Strake, chair of the board {#rp-chair}

## The line and its history

### How it was built

The first plan for a ropeway to the fell was drawn in 1924 by the engineer Lucan Thorsby, who had built cableways for slate and saw no reason why people should be treated worse than slate. Money was raised in shares of five crowns, and more than six hundred households bought at least one. The towers were set in 1930 and the carrying rope was hung in the summer of 1931, when the first crates of goods went up. Passengers had to wait. The inspector asked for a second brake, and the line was opened to the public on 6 May 1933. {#rp-opening}

Readers of the handbook of the observatory will have noticed that our neighbours give an earlier year. They count from the first goods, and we count from the first person who bought a ticket. Both are right, and we have agreed to celebrate twice.

### What it is today

The line is 3,260 metres long on the slope and rises 571 metres between its stations. It rests on eleven towers, of which the fifth, in the middle of the beck, is the tallest at 38 metres. Two carrying ropes of 46 millimetres bear the cars and a thinner hauling rope moves them. The present carrying ropes were hung in 2006 and are expected to serve until 2029. {#rp-line}

There are now six cars, named after winds. Each holds sixteen passengers or a load of 1,300 kilograms. They were built to our drawings by the waggon works at Orleford and delivered between April 2017 and June 2018, at a price of 41,800 crowns apiece. The seats fold up, the windows open at the top only, and the doors can be worked by a person who has one arm full of shopping, a point on which the members had insisted. {#rp-cars}

### The engine house

Both engines stand in the lower station. The main engine is electric and was wound anew in 2011. The auxiliary is a diesel of 88 kilowatts that is started every Sunday whether or not it is needed. On 19 February a bearing of the main engine ran hot, and the line was stopped for four days while a new one was brought from the mainland. Passengers who were on the line at the time were brought in by the auxiliary within twenty-six minutes. {#rp-fault}

## Traffic in the year

### Passengers

The number of passengers rose for the fourth year running. Most of the increase was due to walkers in May and June and to the open nights at the observatory, which were full on every date. Commuting by the keepers and by the staff of the tea room at the middle station was unchanged. The tickets of members, which are sold at half price, made up a slightly smaller part of the whole than before.[^1] {#rp-passengers}

Table 1. Passengers by kind of ticket, in single crossings.

| Kind of ticket | 2016 | 2017 | 2018 |
| Full price | 48,210 | 51,940 | 57,305 |
| Members | 22,760 | 22,418 | 22,655 |
| Children | 9,125 | 9,870 | 11,240 |
| Free | 2,304 | 2,291 | 2,318 |
| All passengers | 82,399 | 86,519 | 93,518 |
{#rp-passenger-table}

[^1]: Members paid half price on 24.2 per cent of all crossings in 2018, against 25.9 per cent in 2017. {#rp-note-members}

### Goods

Goods are the older part of our trade and no longer the larger. We carried food and fuel for the tea room and the observatory, fleeces in July, building stone for the repair of the shepherds' wall, and one harmonium. The fall in the tonnage of stone is due to the wall having been finished a month early. The rise in the tonnage of fuel is due to the observatory having filled its tanks before the engine was inspected.[^2] {#rp-goods}

Table 2. Goods carried, in tonnes.

| Goods | 2017 | 2018 |
| Food and stores | 118 | 123 |
| Fuel | 36 | 44 |
| Stone and lime | 207 | 139 |
| Wool | 29 | 31 |
| Other | 14 | 17 |
| All goods | 404 | 354 |
{#rp-goods-table}

[^2]: The harmonium is entered under "Other". It weighed 96 kilograms and belongs to the chapel at Upper Skarrow. {#rp-note-harmonium}

### Late cars on Fridays

Since 2 November the last car on Fridays leaves the top station at 23:10 instead of 20:30, and a second attendant is on duty until midnight. By the end of December the late cars had carried 1,906 passengers on nine evenings. The observatory had asked for an even later hour; the crew agreed to 23:10 on the condition that nobody has to open the station again before eight on Saturday. The headlamps of the late cars are fitted with amber glass and hooded, so that they can be seen by the towers but not by the telescope. {#rp-late}

The town has made a grant for the first winter, and whether the late cars are continued after it will depend on the count in April. The board is of the opinion that a service that fills more than half its seats should be kept even at a small loss, since a line that stops at half past eight is a line for people who go to bed at nine.

## The accounts

### Income and expense

Income grew by more than expense did, for which there were two reasons. The fares were raised on 1 January for the first time since 2013, by 20 hundredths of a crown for the full ticket, and the winter was mild, so that less was spent on heating and on clearing ice.[^3] The item called grants consists of the payment from the town for the late cars and a smaller one from the county for the wheelchair ramp at the lower station. {#rp-income}

Table 3. Income and expense, in crowns.

| Item | 2017 | 2018 |
| Fares | 164,300 | 187,950 |
| Goods | 41,870 | 38,420 |
| Grants | 6,000 | 24,500 |
| Rents and sundry | 9,240 | 9,615 |
| Total income | 221,410 | 260,485 |
| Wages | 98,700 | 109,340 |
| Power and fuel | 31,450 | 30,180 |
| Repairs and inspection | 38,920 | 44,075 |
| Interest | 7,610 | 6,280 |
| Put aside for the rope | 30,000 | 42,000 |
| Total expense | 206,680 | 231,875 |
| Surplus | 14,730 | 28,610 |
{#rp-accounts-table}

[^3]: A full single ticket now costs 3.40 crowns. Children under six and working dogs travel free. {#rp-note-fare}

### What was done with the surplus

The general meeting of 2018 had asked that half of any surplus above ten thousand crowns be used to pay off debt ahead of time, and this has been done. A dividend of 15 hundredths of a crown on each share was paid in December. Members who do not collect their dividend within five years are taken to have given it to the rope fund, which has in this way become the largest shareholder in its own rope.[^4] {#rp-dividend}

[^4]: The rope fund stood at 311,200 crowns on 31 December 2018. The price of two new carrying ropes is put by the makers at 455,000 crowns. {#rp-note-fund}

### Debt

The loan from the Brinnoch Savings Bank, taken up for the cars, stood at 118,000 crowns at the beginning of the year and at 96,500 at its end. It carries interest at 5.6 per cent. We have no other debts beyond the bills of the month.

Table 4. Loan from the savings bank, in crowns at the end of the year.

| Year | Loan | Repaid |
| 2016 | 60,000 | 0 |
| 2017 | 118,000 | 12,000 |
| 2018 | 96,500 | 21,500 |
{#rp-loan-table}

## People

### Staff

At the end of the year the cooperative employed nineteen persons, seven of them for part of the week. Edda Rusk, who has sold tickets at the lower station since 1979, retired in August and was carried to the top and back in an empty car with a brass band in the next one. Her place was taken by two people. The engine house has an apprentice again for the first time in six years, Colm Averill, who was chosen from among four applicants because he asked what the noise was. {#rp-staff}

### The tea room

The tea room at the middle station is let to Mrs Lowenna Tarrick, who pays a rent of 4,800 crowns a year and is obliged by her lease to have soup ready whenever the line stops with passengers on it. In 2018 she served 611 bowls of such soup, against which the cooperative allowed her 30 hundredths of a crown each. Her scones are not covered by the lease, and we make no promise as to their continuance. {#rp-tea}

### Members

The cooperative had 1,104 members at the end of the year, 37 more than at its beginning. The oldest is Mr Jago Penhallam, who was born in the week in which the carrying rope was hung and holds share number 12, a present from his grandmother. The youngest was entered by her parents at the age of two days. Voting is by member and not by share, and one third of the membership was present or represented at the last general meeting. {#rp-members}

### The board

The board met ten times. Its members were Wenna Strake in the chair, Hollis Menzie as treasurer, Piers Callander as manager, Agnes Dorrin, Bastian Pell and Yusra Fenwick. Agnes Dorrin has agreed to stand for the chair at the general meeting. No member of the board is paid, but each may travel free of charge, and it was noted that Hollis Menzie, who is afraid of heights, has never done so. {#rp-board}

## Looking ahead

### Work planned

Three things will keep us busy in the coming year. The platform of the middle station will be raised by 22 centimetres to suit the new cars. The ninth tower, whose foot has moved by the breadth of two fingers since 2004, will be set on piles. And the telephone line along the towers will be replaced by a cable of glass fibre, one pair of which has been let to the observatory for twelve years.[^5] {#rp-plans}

[^5]: The rent for the pair of fibres is 900 crowns a year, with the first two years free in return for the digging of the upper trench by the keepers. {#rp-note-fibre}

### The second rope

The great work of the coming decade is the change of the carrying ropes. It cannot be done in pieces. The line will have to stand still for about eleven weeks, the new ropes must be brought by sea, since no lorry can carry a drum of 26 tonnes over the bridge at Orleford, and the old ones must be cut up where they lie. The board has therefore begun to talk with the harbour office about the use of the quay in the spring of 2029, and with the observatory about mules. {#rp-second-rope}

We would rather begin early than late. If the rope fund grows in the next years as it did in this one, it will reach the price now quoted in the course of 2022, which leaves some room for the price to rise. Should it rise by more than a quarter, we shall have to ask the members for new shares, for the first time since 1930.

### What may go wrong

The chief risk is wind. The line is stopped when gusts at the fifth tower pass 72 kilometres an hour, and days with such gusts have become more frequent: there were eight in 2009 and fourteen in 2018. Every further day without service costs us some 560 crowns in fares. The board has looked into a heavier hauling rope that would allow the limit to be raised, and has for the present decided against it. {#rp-wind}

The second risk is the price of rope, which follows that of steel. The third is that we grow dull. A cooperative that only carries people up and down will in time be sold to somebody who can do it more cheaply, and the board would therefore like to hear from members who have ideas, however foolish, before the end of May.
