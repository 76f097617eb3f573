import { type Half, type Language, pick, type Random } from './disguises.ts'

const STATEMENTS_MAX = 3
const BETWEEN = [' ', ' ', '. ', ', ', '! ', '\n', ' … ', ' 😊 ', '; ']
const EMOJI = ['😊', '😂', '❤️', '🌹', '🔥', '🙈', '👍🏽', '🐱', '✨', '😘😘', '🍕', '👩‍👧']
const PLACES = { known: ['/top', '/girls/'], hidden: ['/virtualdate/', '/messenger/'] }

/** An ordinary message: an opening, one to three statements, and a closing, with dates, times and prices in their places. */
export function harmlessText(name: string, language: Language, half: Half, random: Random): string {
  const { openers, statements, closers } = language
  const parts: string[] = []
  if (openers[half].length > 0 && random() < 0.5) parts.push(pick(openers[half], random))
  const count = 1 + Math.floor(random() * STATEMENTS_MAX)
  for (let index = 0; index < count; index += 1) {
    if (index > 0) parts.push(pick(BETWEEN, random))
    else if (parts.length > 0) parts.push(' ')
    parts.push(pick(statements[half], random))
  }
  if (closers[half].length > 0 && random() < 0.4) parts.push(' ', pick(closers[half], random))
  else if (random() < 0.1) parts.push(' ', pick([...EMOJI, ...PLACES[half]], random))
  return filled(parts.join(''), name, language, random)
}

/** The text with its slots in braces filled. */
export function filled(text: string, name: string, language: Language, random: Random): string {
  return text.replace(/\{(\w+)\}/g, (_, slot: string) => fill(slot, name, language, random))
}

export const digits = (count: number, random: Random) =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('')
const between = (min: number, max: number, random: Random) =>
  min + Math.floor(random() * (max - min + 1))
const two = (value: number) => String(value).padStart(2, '0')

const slots: Record<string, (random: Random) => string> = {
  t: (random) => `${between(0, 23, random)}:${two(between(0, 59, random))}`,
  p: price,
  a: (random) => String(between(18, 60, random)),
  y: (random) => String(between(1950, 2026, random)),
  b: (random) => String(between(10, 99, random)),
  s: (random) => String(between(2, 9, random)),
  D: (random) => String(between(1, 28, random)),
  k: (random) => `${between(1, 999, random)}${pick([',', '.', ' '], random)}000`,
  c7: (random) => `${between(1, 9, random)}${digits(between(2, 6, random), random)}`,
  e: (random) => pick(EMOJI, random),
}

function fill(slot: string, name: string, { names }: Language, random: Random): string {
  if (slot === 'N') return pick(names, random)
  if (slot === 'd') return pick(toDates(name, random), random)
  return slots[slot]!(random)
}

function toDates(name: string, random: Random): string[] {
  const year = between(1950, 2026, random)
  const [day, month] = [between(1, 28, random), between(1, 12, random)]
  if (name === 'en')
    return [
      `${two(month)}/${two(day)}/${year}`,
      `${year}-${two(month)}-${two(day)}`,
      `${day}.${month}.${year}`,
    ]
  return [
    `${two(day)}.${two(month)}.${year}`,
    `${two(day)}/${two(month)}/${year}`,
    `${two(day)}.${two(month)}.${two(year % 100)}`,
    `${year}-${two(month)}-${two(day)}`,
  ]
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
