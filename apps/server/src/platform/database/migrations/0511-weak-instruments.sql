-- The provider names the brand and the last four digits of a card only: that is no identity of a card.
update orders set instrument = null where method = 'verotel' and instrument is not null;
