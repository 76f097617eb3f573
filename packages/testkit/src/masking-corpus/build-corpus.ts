import { readFileSync } from 'node:fs'
import {
  type ContactKind,
  type Disguise,
  disguises,
  type Half,
  hiddenDisguises,
  type Language,
  pick,
  type Random,
} from './disguises.ts'
import { digits, filled, harmlessText } from './harmless.ts'

/**
 * Texts for the figures of masking. Each language has sentences written by hand, with places for dates,
 * times, prices and contacts. Half of the sentences is hidden. The rules were written with the known half
 * and must not be changed because of a hidden text. If a rule is changed because of a hidden text, its
 * sentences move to the known half and new sentences replace them.
 */
export const scripts = {
  Latin: ['en', 'de', 'fr', 'es', 'it', 'pt'],
  Cyrillic: ['ru'],
  Arabic: ['ar'],
  CJK: ['zh', 'ko', 'ja'],
} as const
export type Script = keyof typeof scripts

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

const languages = new Map<string, Language>()

function toLanguage(name: string): Language {
  let language = languages.get(name)
  if (!language) {
    const json = readFileSync(new URL(`${name}.json`, import.meta.url), 'utf8')
    languages.set(name, (language = JSON.parse(json) as Language))
  }
  return language
}

export function listContacts(
  script: Script,
  half: Half,
  random: Random,
  count: number,
): LabelledText[] {
  const each = scripts[script].map((name) => contactsInLanguage(name, half, random))
  return inTurn(count, (index) => each[index % each.length]!.next().value)
}

/** No text twice: a repeated short text is composed again. */
export function listHarmless(
  script: Script,
  half: Half,
  random: Random,
  count: number,
): LabelledText[] {
  const names: readonly string[] = scripts[script]
  const texts = new Map<string, LabelledText>()
  while (texts.size < count) {
    const language = names[texts.size % names.length]!
    const text = harmlessText(language, toLanguage(language), half, random)
    texts.set(text, { language, text, label: half })
  }
  return [...texts.values()]
}

/** Texts of all languages in turn. */
function inTurn(count: number, next: (index: number) => LabelledText): LabelledText[] {
  return Array.from({ length: count }, (_, index) => next(index))
}

function* contactsInLanguage(
  name: string,
  half: Half,
  random: Random,
): Generator<LabelledText, never> {
  const language = toLanguage(name)
  const carry = (contact: string) => {
    const [before, after] = pick(language.carriers[half], random).split('{c}')
    return `${filled(before!, name, language, random)}${contact}${filled(after!, name, language, random)}`
  }
  for (const contact of language.contacts[half])
    yield { language: name, text: carry(contact), label: 'by hand' }
  const known = half === 'hidden' ? [...disguises, ...hiddenDisguises] : disguises
  const combinations = known.flatMap((disguise) =>
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
  return disguise.apply(getContact(kind, random), random, language)
}

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

function getContact(kind: ContactKind, random: Random): string {
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
