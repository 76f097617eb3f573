/** How people hide contacts. Each disguise changes a contact of one kind; `random` decides what is left open. */
export type Random = () => number
export type ContactKind = 'phone' | 'card' | 'email' | 'domain' | 'link' | 'word'

export interface Language {
  readonly digits: readonly string[]
  readonly at: readonly string[]
  readonly dot: readonly string[]
  readonly names: readonly string[]
  readonly carriers: Halves
  readonly contacts: Halves
  readonly openers: Halves
  readonly statements: Halves
  readonly closers: Halves
}
export type Half = 'known' | 'hidden'
export type Halves = Readonly<Record<Half, readonly string[]>>

export interface Disguise {
  readonly name: string
  readonly kinds: readonly ContactKind[]
  readonly apply: (contact: string, random: Random, language: Language) => string
}

export function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[Math.floor(random() * items.length)]!
}

const NUMBERS = ['phone', 'card'] as const
const ADDRESSES = ['email', 'domain', 'link'] as const
const ALL = [...NUMBERS, ...ADDRESSES, 'word'] as const

function digitsFrom(zero: number): (contact: string) => string {
  return (contact) => contact.replace(/\d/g, (one) => String.fromCodePoint(zero + Number(one)))
}

function eachCharacter(change: (one: string) => string): (contact: string) => string {
  return (contact) => [...contact].map(change).join('')
}

const CIRCLED = '⓪①②③④⑤⑥⑦⑧⑨'
const DINGBATS = '⓿❶❷❸❹❺❻❼❽❾'
const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const CYRILLIC: Record<string, string> = {
  a: 'а',
  c: 'с',
  e: 'е',
  o: 'о',
  p: 'р',
  x: 'х',
  y: 'у',
  i: 'і',
}
const GREEK: Record<string, string> = {
  a: 'α',
  e: 'ε',
  i: 'ι',
  o: 'ο',
  n: 'η',
  v: 'ν',
  t: 'τ',
  k: 'κ',
}
const INVISIBLES = ['\u200b', '\u200d', '\u2060', '\u00ad', '\ufeff', '\u200e']
const SEPARATORS = [' ', '.', '-', '  ', '_', '*', ' - ', '/', ', ', '|', ' . ', '~']

const digitsOnly = (contact: string) => contact.replace(/\D/g, '')

function separatedBy(separator: (random: Random) => string): Disguise['apply'] {
  return (contact, random) => {
    const chosen = separator(random)
    return [...digitsOnly(contact)].join(chosen)
  }
}

function spelled(contact: string, random: Random, { digits }: Language, share: number): string {
  const parts = [...digitsOnly(contact)].map((one) =>
    random() < share ? digits[Number(one)]! : one,
  )
  return parts.join(' ')
}

/** The at sign and the dots in the words of the language. */
function inWords(contact: string, random: Random, { at, dot }: Language): string {
  return contact.replaceAll('@', ` ${pick(at, random)} `).replaceAll('.', ` ${pick(dot, random)} `)
}

export const disguises: readonly Disguise[] = [
  { name: 'none', kinds: ALL, apply: (contact) => contact },
  {
    name: 'capitals',
    kinds: ['email', 'domain', 'word'],
    apply: (contact) => contact.toUpperCase(),
  },
  {
    name: 'full width',
    kinds: ALL,
    apply: eachCharacter((one) =>
      one > ' ' && one <= '~' ? String.fromCodePoint(one.codePointAt(0)! + 0xfee0) : one,
    ),
  },
  { name: 'Arabic-Indic digits', kinds: NUMBERS, apply: digitsFrom(0x660) },
  { name: 'Persian digits', kinds: NUMBERS, apply: digitsFrom(0x6f0) },
  { name: 'Devanagari digits', kinds: NUMBERS, apply: digitsFrom(0x966) },
  { name: 'mathematical digits', kinds: NUMBERS, apply: digitsFrom(0x1d7ce) },
  {
    name: 'circled digits',
    kinds: NUMBERS,
    apply: eachCharacter((one) => (/\d/.test(one) ? [...CIRCLED][Number(one)]! : one)),
  },
  {
    name: 'dingbats',
    kinds: NUMBERS,
    apply: eachCharacter((one) => (/\d/.test(one) ? [...DINGBATS][Number(one)]! : one)),
  },
  {
    name: 'superscripts',
    kinds: NUMBERS,
    apply: eachCharacter((one) => (/\d/.test(one) ? [...SUPERSCRIPTS][Number(one)]! : one)),
  },
  {
    name: 'keycap emoji',
    kinds: NUMBERS,
    apply: eachCharacter((one) => (/\d/.test(one) ? `${one}\ufe0f\u20e3` : one)),
  },
  {
    name: 'invisible characters',
    kinds: ALL,
    apply: (contact, random) => [...contact].join(pick(INVISIBLES, random)),
  },
  { name: 'separators', kinds: NUMBERS, apply: separatedBy((random) => pick(SEPARATORS, random)) },
  {
    name: 'emoji between',
    kinds: NUMBERS,
    apply: separatedBy((random) => pick(['❤️', '😘', ' 🌹 ', '⭐'], random)),
  },
  {
    name: 'line breaks',
    kinds: NUMBERS,
    apply: (contact) => digitsOnly(contact).replace(/(\d{3})(?=\d)/g, '$1\n'),
  },
  {
    name: 'words for digits',
    kinds: ['phone'],
    apply: (contact, random, language) => spelled(contact, random, language, 1),
  },
  {
    name: 'some words for digits',
    kinds: ['phone'],
    apply: (contact, random, language) => spelled(contact, random, language, 0.5),
  },
  {
    name: 'letters for digits',
    kinds: ['phone'],
    apply: (contact) =>
      digitsOnly(contact)
        .replace(/(?<=\d)0(?=\d)/g, 'O')
        .replace(/(?<=\d)1(?=\d)/g, 'l'),
  },
  { name: 'words for signs', kinds: ['email'], apply: inWords },
  {
    name: 'words for dots',
    kinds: ['domain'],
    apply: (contact, random, language) =>
      contact.replaceAll('.', ` ${pick(language.dot, random)} `),
  },
  {
    name: 'signs in brackets',
    kinds: ['email', 'domain'],
    apply: (contact, random) =>
      contact
        .replace('@', pick(['(at)', '[at]', ' {at} ', '(@)'], random))
        .replaceAll('.', pick(['(dot)', '[.]', ' (dot) ', '[dot]'], random)),
  },
  {
    name: 'spaces around signs',
    kinds: ['email'],
    apply: (contact) => contact.replaceAll(/[@.]/g, ' $& '),
  },
  {
    name: 'spaced letters',
    kinds: ['email', 'domain', 'word'],
    apply: (contact) => [...contact].join(' '),
  },
  {
    name: 'Cyrillic letters',
    kinds: ['email', 'domain', 'word'],
    apply: eachCharacter((one) => CYRILLIC[one] ?? one),
  },
  { name: 'Greek letters', kinds: ['word'], apply: eachCharacter((one) => GREEK[one] ?? one) },
  {
    name: 'accents',
    kinds: ['email', 'word'],
    apply: eachCharacter((one) => (/[aeiou]/.test(one) ? `${one}\u0301` : one)),
  },
  {
    name: 'right to left',
    kinds: ['email', 'word'],
    apply: (contact) => [...contact].toReversed().join(''),
  },
  { name: 'base64', kinds: ['email'], apply: (contact) => Buffer.from(contact).toString('base64') },
  {
    name: 'other dots',
    kinds: ['email', 'domain'],
    apply: (contact, random) => contact.replaceAll('.', pick(['。', '．', '․', '·', '•'], random)),
  },
  {
    name: 'repeated letters',
    kinds: ['word'],
    apply: eachCharacter((one) => (/[aeiou]/.test(one) ? one + one : one)),
  },
  { name: 'dotted letters', kinds: ['word'], apply: (contact) => [...contact].join('.') },
]

function letters(capital: number, small: number): (contact: string) => string {
  return eachCharacter((one) => {
    const code = one.codePointAt(0)!
    if (/[a-z]/.test(one)) return String.fromCodePoint(small + code - 97)
    return /[A-Z]/.test(one) ? String.fromCodePoint(capital + code - 65) : one
  })
}

/** The rules were not written with these. */
export const hiddenDisguises: readonly Disguise[] = [
  { name: 'Bengali digits', kinds: NUMBERS, apply: digitsFrom(0x9e6) },
  { name: 'Thai digits', kinds: NUMBERS, apply: digitsFrom(0xe50) },
  { name: 'double-struck digits', kinds: NUMBERS, apply: digitsFrom(0x1d7d8) },
  {
    name: 'digits in brackets',
    kinds: NUMBERS,
    apply: (contact) => digitsOnly(contact).replace(/\d/g, '[$&]'),
  },
  {
    name: 'pairs',
    kinds: ['phone'],
    apply: (contact) => digitsOnly(contact).replace(/(\d\d)(?=\d)/g, '$1 | '),
  },
  {
    name: 'capital every second letter',
    kinds: ['email', 'domain', 'word'],
    apply: (contact) =>
      [...contact].map((one, index) => (index % 2 === 0 ? one : one.toUpperCase())).join(''),
  },
  { name: 'script letters', kinds: ['email', 'domain', 'word'], apply: letters(0x1d4d0, 0x1d4ea) },
  {
    name: 'sans-serif letters',
    kinds: ['email', 'domain', 'word'],
    apply: letters(0x1d5a0, 0x1d5ba),
  },
  {
    name: 'letters with hooks',
    kinds: ['email', 'word'],
    apply: eachCharacter((one) => (/[aeiou]/.test(one) ? `${one}\u0328\u0308` : one)),
  },
  {
    name: 'English words for digits',
    kinds: ['phone'],
    apply: (contact) =>
      digitsOnly(contact).replace(
        /\d/g,
        (one) =>
          ` ${['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'][Number(one)]!}`,
      ),
  },
  {
    name: 'full width and invisible characters',
    kinds: ['phone', 'email', 'domain'],
    apply: (contact) =>
      [...contact]
        .map((one) => String.fromCodePoint(one > ' ' ? one.codePointAt(0)! + 0xfee0 : 0x3000))
        .join('\u200c'),
  },
  {
    name: 'stars between letters',
    kinds: ['word'],
    apply: (contact) => [...contact].join('*'),
  },
]
