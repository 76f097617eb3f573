/** A card or wallet of more accounts than a family has says nothing about its users. */
export const INSTRUMENT_ACCOUNTS_MAX = 5
