import type { Role } from '@duet/protocol/kernel/roles.ts'

/** A demo user: the name of the portrait, and the profile. Its texts are content like a user's own, so they are not translated. */
export interface DemoUser {
  readonly name: string
  readonly nick: string
  readonly role: Role
  readonly birthday: string
  readonly locale: string
  readonly country: string
  readonly about: string
  readonly premium?: boolean
}

export const DEMO_USERS: readonly DemoUser[] = [
  {
    name: 'alex',
    nick: 'Alex',
    role: 'guy',
    birthday: '1991-04-12',
    locale: 'en',
    country: 'GB',
    about: 'Carpenter in Bristol. Too many books, one good chair.',
  },
  {
    name: 'omar',
    nick: 'Omar',
    role: 'guy',
    birthday: '1988-09-30',
    locale: 'fr',
    country: 'FR',
    about: 'Cooks slowly, drives a tram, knows every bakery of Lyon.',
    premium: true,
  },
  {
    name: 'tom',
    nick: 'Tom',
    role: 'guy',
    birthday: '1995-01-22',
    locale: 'de',
    country: 'DE',
    about: 'Sound engineer. Listens first.',
  },
  {
    name: 'sofia',
    nick: 'Sofia',
    role: 'girl',
    birthday: '1999-05-03',
    locale: 'pt',
    country: 'PT',
    about: 'Ceramics teacher, early riser, terrible at chess and keen to play anyway.',
  },
  {
    name: 'mira',
    nick: 'Mira',
    role: 'girl',
    birthday: '2000-02-17',
    locale: 'en',
    country: 'TR',
    about: 'Architect in Istanbul. Collects old maps and strong opinions about tea.',
  },
  {
    name: 'lena',
    nick: 'Lena',
    role: 'girl',
    birthday: '1997-11-08',
    locale: 'de',
    country: 'DE',
    about: 'Cyclist, gardener on a balcony of four square metres.',
  },
  {
    name: 'yuki',
    nick: 'Yuki',
    role: 'girl',
    birthday: '1998-07-26',
    locale: 'ja',
    country: 'JP',
    about: 'Draws people on trains and gives them the drawing.',
  },
  {
    name: 'amara',
    nick: 'Amara',
    role: 'girl',
    birthday: '1996-03-14',
    locale: 'fr',
    country: 'SN',
    about: 'Radio voice by night, swims at dawn.',
  },
  {
    name: 'noor',
    nick: 'Noor',
    role: 'girl',
    birthday: '2001-10-05',
    locale: 'ar',
    country: 'JO',
    about: 'Writes letters on paper. Asks good questions.',
  },
  {
    name: 'ines',
    nick: 'Inés',
    role: 'girl',
    birthday: '1994-12-19',
    locale: 'es',
    country: 'ES',
    about: 'Plays the cello badly and happily.',
  },
  {
    name: 'clara',
    nick: 'Clara',
    role: 'girl',
    birthday: '1999-08-11',
    locale: 'it',
    country: 'IT',
    about: 'Restores old cinema posters.',
  },
  {
    name: 'vera',
    nick: 'Vera',
    role: 'girl',
    birthday: '1995-06-02',
    locale: 'ru',
    country: 'RS',
    about: 'Mountain guide with a weakness for crosswords.',
  },
  {
    name: 'zoe',
    nick: 'Zoe',
    role: 'girl',
    birthday: '2000-09-09',
    locale: 'en',
    country: 'IE',
    about: 'Bakes, sails, laughs loudly.',
  },
  {
    name: 'elif',
    nick: 'Elif',
    role: 'girl',
    birthday: '1998-01-30',
    locale: 'en',
    country: 'TR',
    about: 'Night gardener and day programmer.',
  },
  {
    name: 'dana',
    nick: 'Dana',
    role: 'girl',
    birthday: '1997-04-21',
    locale: 'en',
    country: 'IL',
    about: 'Teaches dance to people who say they cannot.',
  },
]
