/** Valid calls of the contracts, and everything that may be wrong with them. */
export interface Dice {
  (): number
  pick<T>(from: readonly T[]): T
  upTo(most: number): number
}

export function diceFrom(random: () => number): Dice {
  const upTo = (most: number) => Math.floor(random() * most)
  return Object.assign(() => random(), {
    upTo,
    pick: <T>(from: readonly T[]): T => from[upTo(from.length)]!,
  })
}

const deep = (levels: number, seed: unknown = 'x'): unknown =>
  Array.from({ length: levels }).reduce(
    (inside, _, level) => (level % 2 ? [inside] : { a: inside }),
    seed,
  )
const many = (keys: number) =>
  Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at]))
/** As JSON.parse makes it: an own property of that name. */
const pollution = () =>
  JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}') as object

/** Values that have broken other programs before. */
const oddities: readonly ((dice: Dice) => unknown)[] = [
  () => null,
  () => true,
  () => '',
  () => ' ',
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 31,
  () => 2 ** 53,
  () => 2 ** 53,
  () => 1e308,
  () => -0,
  () => '1',
  () => '0x10',
  () => '9'.repeat(400),
  () => '1e9',
  () => '-0.0000000000000001',
  () => 'text\u0000text',
  () => '\ud800',
  () => '\u202e\u2066abc',
  () => '%s%n{{7*7}}',
  () => `'; drop table users; --`,
  () => '../../etc/passwd',
  () => '__proto__',
  () => 'constructor',
  () => 'é'.normalize('NFD').repeat(50),
  () => '👩‍👩‍👧‍👦'.repeat(40),
  (dice) => 'a'.repeat(dice.upTo(12_000)),
  () => '0000-00-00',
  () => '+275760-09-13T00:00:00.001Z',
  () => '2026-11-21T09:30:00+99:99',
  () => 'f3b1c9d2-7a54-4e0b-9a63-2d8c5e1f4a70',
  () => [],
  () => ({}),
  () => [[]],
  () => Array.from({ length: 1000 }, (_, at) => at),
  (dice) => deep(dice.upTo(40)),
  (dice) => many(dice.upTo(400)),
  pollution,
  () => JSON.parse('{"toString":"no","valueOf":null,"toJSON":1,"length":-1,"then":"x"}'),
  () => [null, null, null],
]

/** Adds one to three errors at random places. Sometimes adds no error, so that valid inputs run too. */
export function mutated(dice: Dice, valid: unknown, ids: readonly number[]): unknown {
  let value = aimedAt(structuredClone(valid), dice, ids)
  for (let times = dice.upTo(4); times > 0; times -= 1) value = mutatedOnce(dice, value)
  return value
}

function mutatedOnce(dice: Dice, value: unknown): unknown {
  const isInside = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isInside || dice() < 0.15) return dice.pick(oddities)(dice)
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>
  const key = dice.pick(Object.keys(copy))
  switch (dice.upTo(6)) {
    case 0:
      delete copy[key]
      return copy
    case 1:
      return {
        ...copy,
        ...(dice.pick([
          pollution,
          () => many(300),
          () => ({ admin: true, id: 1, role: 'owner' }),
        ])() as object),
      }
    case 2:
      copy[key] = [copy[key]]
      return copy
    case 3:
      copy[key] = mutatedOnce(dice, copy[key])
      return copy
    default:
      copy[key] = dice.pick(oddities)(dice)
      return copy
  }
}

/** Points the ids of an example at things that are there, in half of the cases. */
function aimedAt(value: unknown, dice: Dice, ids: readonly number[]): unknown {
  if (typeof value !== 'object' || value === null || dice() < 0.5) return value
  for (const [key, inside] of Object.entries(value)) {
    if (/id$/i.test(key) && typeof inside === 'number')
      (value as Record<string, unknown>)[key] = dice.pick(ids)
  }
  return value
}

const names = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'AUTH ',
  'auth',
  'NO_SUCH',
  '💔',
  'a'.repeat(5000),
]

/** Values in the place of an action's name. */
export function mutatedName(dice: Dice, name: string): unknown {
  return dice() < 0.96
    ? name
    : dice.pick<unknown>([...names, null, 7, {}, [name], ['message_main']])
}

/**
 * Values in the place of a packet: broken base64, wrong tags, cut, too long, another type, a binary
 * attachment.
 */
export function mutatedPacket(dice: Dice, packet: string): unknown {
  const bytes = Buffer.from(packet, 'base64')
  switch (dice.upTo(9)) {
    case 0:
      return packet.slice(0, dice.upTo(packet.length))
    case 1:
      bytes[dice.upTo(bytes.length)]! ^= 1 << dice.upTo(8)
      return bytes.toString('base64')
    case 2:
      return `${packet.slice(0, 20)}*?\u0000${packet.slice(20)}`
    case 3:
      return Buffer.concat([bytes, Buffer.alloc(dice.upTo(90_000))]).toString('base64')
    case 4:
      return bytes
    case 5:
      return { packet, nested: [bytes.subarray(0, 8)] }
    case 6:
      return bytes.subarray(0, dice.upTo(30)).toString('base64')
    default:
      return dice.pick(oddities)(dice)
  }
}

/** Frames that no client library sends. */
export const oddFrames: readonly string[] = [
  '4',
  '42["message_main"',
  '42["message_main","x",{"a":',
  '451-["message_main",{"_placeholder":true,"num":0}]',
  '459999-["message_main"]',
  '45-1-["message_main",{"_placeholder":true,"num":-1}]',
  '42/nowhere,["message_main","x"]',
  '42999999999999999999["message_main","x"]',
  '43999["x"]',
  '42["__proto__","x"]',
  '42["disconnecting","x"]',
  '42["newListener"]',
  '42[{"a":1}]',
  '42null',
  '44{"message":"x"}',
  '40{"token":"x"}',
  '5',
  '9',
  `42["message_main","${'x'.repeat(70_000)}"]`,
]
