import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { patternBytes } from '@duet/testkit/uploads.ts'
import { createSharpImageProcessor } from '../../../integrations/images/sharp-images.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import {
  type PictureCheckRules,
  DISTANCE_MAX,
  mirrorHash,
  partsNear,
  listParts,
  type PictureFindings,
  type PictureSubject,
  decideVerdict,
} from './rules.ts'

const RULES: PictureCheckRules = { upload_refuse: 0.7, upload_review: 0.4, accepts_adult: false }
const photo = {
  owner_id: 1,
  owner_role: 'guy',
  product: 'gallery',
  adult: false,
} as unknown as PictureSubject
const scored = (nudity: number): PictureFindings => ({
  known_picture_id: undefined,
  judgement: { nudity, model: 'm', version: '1' },
})
const ready = { type: 'ready' } as const
const pending = (reason: string | null) => ({ type: 'pending', reason }) as const
const refused = (refusal: 'nudity' | 'image_removed') => ({ type: 'refused', refusal }) as const

test('a score decides by its thresholds', () => {
  for (const [nudity, verdict] of [
    [0, ready],
    [0.399, ready],
    [0.4, pending('nudity')],
    [0.699, pending('nudity')],
    [0.7, refused('nudity')],
    [1, refused('nudity')],
  ] as const)
    deepEqual(decideVerdict(photo, scored(nudity), RULES), verdict, String(nudity))
})

test("staff look at every avatar of a girl, and at a guy's only for its score", () => {
  const hers = { ...photo, owner_role: 'girl', product: 'avatar' } as const
  deepEqual(decideVerdict(hers, scored(0), RULES), pending(null))
  deepEqual(decideVerdict(hers, scored(0.5), RULES), pending('nudity'))
  deepEqual(decideVerdict(hers, scored(0.9), RULES), refused('nudity'))
  deepEqual(decideVerdict({ ...hers, owner_role: 'guy' }, scored(0), RULES), ready)
})

test('an adult picture waits, and is refused for nudity where the installation is not for adults', () => {
  const adult = { ...photo, adult: true }
  const accepting = { ...RULES, accepts_adult: true }
  deepEqual(decideVerdict(adult, scored(0.99), accepting), pending('nudity'))
  deepEqual(decideVerdict(adult, scored(0), accepting), pending(null))
  deepEqual(decideVerdict(adult, scored(0.99), RULES), refused('nudity'))
  deepEqual(decideVerdict(photo, scored(0.99), accepting), refused('nudity'))
})

test('a picture that was not judged waits, of a guy as of a girl, adult or not', () => {
  const unjudged = { known_picture_id: undefined, judgement: undefined }
  deepEqual(decideVerdict(photo, unjudged, RULES), pending('unchecked'))
  deepEqual(decideVerdict({ ...photo, adult: true }, unjudged, RULES), pending('unchecked'))
})

test('a known picture is refused, also as an adult one', () => {
  const known = { ...scored(0), known_picture_id: 3 }
  const accepting = { ...RULES, accepts_adult: true }
  deepEqual(decideVerdict({ ...photo, adult: true }, known, accepting), refused('image_removed'))
})

test('two hashes within the distance always share a part that is searched', () => {
  const random = randomFrom(41)
  for (let round = 0; round < 300; round += 1) {
    const bits = Array.from({ length: 256 }, () => (random() < 0.5 ? 0 : 1))
    const places = bits.map((_, place) => place).toSorted(() => random() - 0.5)
    // The worst case spreads the changes evenly over the parts.
    const changed = new Set(
      round % 2 === 0
        ? places.slice(0, DISTANCE_MAX)
        : Array.from({ length: DISTANCE_MAX }, (_, one) => (one % 16) * 16 + Math.floor(one / 16)),
    )
    const other = bits.map((bit, place) => (changed.has(place) ? 1 - bit : bit))
    const stored = new Set(listParts(getHex(bits)))
    ok(partsNear(getHex(other)).some((part) => stored.has(part)))
  }
  equal(new Set(partsNear('0'.repeat(64))).size, 16 * 17)
})

function getHex(bits: readonly number[]): string {
  return BigInt(`0b${bits.join('')}`)
    .toString(16)
    .padStart(64, '0')
}

test('the mirrored hash that is computed from a stored hash still finds the mirrored picture', async () => {
  const images = createSharpImageProcessor()
  const readHash = async (bytes: Uint8Array) => {
    const picture = await images.encode(bytes)
    ok(picture !== undefined && picture !== 'busy')
    return picture.hashes!.hash
  }
  for (const seed of [1, 2, 3, 4, 5, 6, 7]) {
    const original = await patternBytes(seed)
    const copy = await sharp(original).flop().resize(300).jpeg({ quality: 40 }).toBuffer()
    const [stored, mirrored] = [await readHash(original), await readHash(copy)]
    const difference = BigInt(`0x${mirrorHash(stored)}`) ^ BigInt(`0x${mirrored}`)
    const bits = difference.toString(2).replaceAll('0', '').length
    ok(bits <= DISTANCE_MAX - 10, `${seed}: ${bits} bits`)
    const near = new Set(partsNear(mirrorHash(stored)))
    ok(listParts(mirrored).some((part) => near.has(part)))
    equal(mirrorHash(mirrorHash(stored)), stored)
  }
})
