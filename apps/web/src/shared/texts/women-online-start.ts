/** Before the settings are known, pages reserve the width of this number for the count of women online. */
export const WOMEN_ONLINE_START = 20
