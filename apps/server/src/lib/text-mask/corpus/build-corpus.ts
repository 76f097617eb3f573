import { readFileSync } from 'node:fs'
import {
  type ContactKind,
  type Disguise,
  disguises,
  type Language,
  pick,
  type Random,
} from './disguises.ts'

/**
 * Texts for the figures of masking. Each language has sentences written by hand, with places for dates, times, prices and
 * contacts. Half of the sentences is held back: the rules were written with the other half alone.
 */
export const scripts = {
  Latin: ['en', 'de', 'fr', 'es', 'it', 'pt'],
  Cyrillic: ['ru'],
  Arabic: ['ar'],
  CJK: ['zh', 'ko', 'ja'],
} as const
export type Script = keyof typeof scripts
export type Half = 'tuned' | 'heldOut'

export interface LabelledText {
  readonly language: string
  readonly text: string
  readonly label: string
}

/** Settings of an installation that knows the names which the corpus disguises. */
export const corpusWords = [
  ...[
    'telegram',
    'whatsapp',
    'instagram',
    'snapchat',
    'телеграм',
    'телеграмм',
    'ватсап',
    'вконтакте',
  ],
  ...['واتساب', 'واتس اب', 'تيليجرام', '微信', '카카오톡', 'カカオトーク'],
]

const TEXTS_MIN = 400
const languages = new Map<string, Language>()

function languageOf(name: string): Language {
  let language = languages.get(name)
  if (!language) {
    const json = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')
    languages.set(name, (language = JSON.parse(json) as Language))
  }
  return language
}

export function contactsOf(script: Script, half: Half, random: Random): LabelledText[] {
  const each = scripts[script].map((name) => contactsInLanguage(name, half, random))
  return filled(each, TEXTS_MIN)
}

export function harmlessOf(script: Script, half: Half, random: Random): LabelledText[] {
  const each = scripts[script].map((name) => harmlessInLanguage(name, half, random))
  return filled(each, TEXTS_MIN)
}

/** Texts of all languages in turn. */
function filled(each: Generator<LabelledText>[], count: number): LabelledText[] {
  const texts: LabelledText[] = []
  while (texts.length < count || texts.length % each.length > 0)
    texts.push(each[texts.length % each.length]!.next().value as LabelledText)
  return texts
}

function* contactsInLanguage(
  name: string,
  half: Half,
  random: Random,
): Generator<LabelledText, never> {
  const language = languageOf(name)
  const carry = (contact: string) =>
    pick(language.carriers[half], random).replace('{c}', () => contact)
  for (const contact of language.contacts[half])
    yield { language: name, text: carry(contact), label: 'by hand' }
  const combinations = disguises.flatMap((disguise) =>
    disguise.kinds.map((kind) => [disguise, kind] as const),
  )
  for (;;)
    for (const [disguise, kind] of combinations)
      yield {
        language: name,
        text: carry(disguised(disguise, kind, random, language)),
        label: `${kind}, ${disguise.name}`,
      }
}

function disguised(
  disguise: Disguise,
  kind: ContactKind,
  random: Random,
  language: Language,
): string {
  return disguise.apply(contactOf(kind, random), random, language)
}

const digits = (count: number, random: Random) =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
const NAMES = ['annak', 'lena.b', 'vera_22', 'mina-s', 'carlos77', 'yuki.t', 'sara_k', 'oleg.w']
const SITES = ['annaweb', 'duetfan', 'my-rooms', 'verashow', 'lovecam7', 'minatalks']
const HOSTS = [
  'gmail.com',
  'mail.ru',
  'yahoo.co.jp',
  'gmx.de',
  'orange.fr',
  'libero.it',
  'naver.com',
  'qq.com',
]
const DOMAINS = ['com', 'net', 'org', 'ru', 'info', 'online', 'site', 'xyz', 'club', 'jp']

function contactOf(kind: ContactKind, random: Random): string {
  switch (kind) {
    case 'phone':
      return phone(random)
    case 'card':
      return card(random)
    case 'email':
      return `${pick(NAMES, random)}@${pick(HOSTS, random)}`
    case 'domain':
      return `${pick(SITES, random)}.${pick(DOMAINS.slice(0, 4), random)}`
    case 'link':
      return `${pick(['https://', 'http://', 'www.'], random)}${pick(SITES, random)}.${pick(DOMAINS, random)}/u${digits(2, random)}`
    case 'word':
      return pick(['telegram', 'whatsapp', 'instagram', 'snapchat'], random)
  }
}

function phone(random: Random): string {
  const forms = [
    '+{d}{d} {d}{d}{d} {d}{d}{d}{d}{d}{d}',
    '{d}{d}{d}-{d}{d}{d}-{d}{d}{d}{d}',
    '{d}{d}{d}{d}{d}{d}{d}{d}{d}{d}{d}',
    '({d}{d}{d}) {d}{d}{d}-{d}{d}-{d}{d}',
    '{d} {d}{d}{d} {d}{d}{d} {d}{d} {d}{d}',
    '{d}{d}{d}{d} {d}{d}{d}{d}',
    '+{d}.{d}{d}{d}.{d}{d}{d}.{d}{d}{d}{d}',
  ]
  const number = pick(forms, random).replaceAll('{d}', () => digits(1, random))
  return number.replace(/\d/, () => String(1 + Math.floor(random() * 9)))
}

function card(random: Random): string {
  const first = `${pick(['4', '5'], random)}${digits(14, random)}`
  const check = [...'0123456789'].find((one) => luhnSum(first + one) % 10 === 0)!
  return (first + check).replace(/(\d{4})(?=\d)/g, `$1${pick([' ', '-', ''], random)}`)
}

function luhnSum(number: string): number {
  return [...number].toReversed().reduce((sum, one, index) => {
    const value = Number(one) * (index % 2 === 1 ? 2 : 1)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
}

function* harmlessInLanguage(
  name: string,
  half: Half,
  random: Random,
): Generator<LabelledText, never> {
  const language = languageOf(name)
  const sentences = language.harmless[half]
  for (let round = 0; ; round += 1)
    for (const sentence of sentences) {
      // From the second round on, two sentences stand together.
      const text = round === 0 ? sentence : `${sentence} ${pick(sentences, random)}`
      yield {
        language: name,
        text: text.replace(/\{(\w+)\}/g, (_, slot: string) => fill(slot, name, random)),
        label: sentence,
      }
    }
}

const between = (min: number, max: number, random: Random) =>
  min + Math.floor(random() * (max - min + 1))
const two = (value: number) => String(value).padStart(2, '0')
const PEOPLE = [
  'Anna',
  'Boris',
  'Jean-Luc',
  "O'Neil",
  'Sven',
  'Мария',
  'سارة',
  '小丽',
  '민아',
  'ゆき',
]

function fill(slot: string, language: string, random: Random): string {
  const year = between(1950, 2026, random)
  const [day, month] = [between(1, 28, random), between(1, 12, random)]
  const dates =
    language === 'en'
      ? [
          `${two(month)}/${two(day)}/${year}`,
          `${year}-${two(month)}-${two(day)}`,
          `${day}.${month}.${year}`,
        ]
      : [
          `${two(day)}.${two(month)}.${year}`,
          `${two(day)}/${two(month)}/${year}`,
          `${two(day)}.${two(month)}.${two(year % 100)}`,
          `${year}-${two(month)}-${two(day)}`,
        ]
  const thousands = between(1, 999, random)
  const mark = pick([',', '.', ' '], random)
  const slots: Record<string, () => string> = {
    d: () => pick(dates, random),
    t: () => `${between(0, 23, random)}:${two(between(0, 59, random))}`,
    p: () => price(random),
    a: () => String(between(18, 60, random)),
    y: () => String(year),
    b: () => String(between(10, 99, random)),
    k: () => `${thousands}${mark}000`,
    c7: () => `${between(1, 9, random)}${digits(between(2, 6, random), random)}`,
    N: () => pick(PEOPLE, random),
  }
  return slots[slot]!()
}

function price(random: Random): string {
  const small = between(1, 999, random)
  const cents = two(between(0, 99, random))
  return pick(
    [
      `$${small}`,
      `${small} €`,
      `${small},${cents} €`,
      `€${small}.${cents}`,
      `${small}.${cents} USD`,
      `${between(1, 99, random)} ${two(small).padStart(3, '0')} руб`,
      `¥${small},000`,
      `${between(1, 9, random)},${String(small).padStart(3, '0')},000원`,
      `${between(1, 90, random)}.${String(small).padStart(3, '0')},${cents} EUR`,
    ],
    random,
  )
}
