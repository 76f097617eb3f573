import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideWriting,
  maySendPicture,
  findWritingRefusal,
  qualifies,
  vanishTime,
  type WritingFacts,
} from './rules.ts'

const GUY: WritingFacts = {
  writer: 'guy',
  is_blocked: false,
  is_gone: false,
  is_premium: false,
  is_invited: true,
  has_answer: false,
  unanswered: 0,
  unanswered_max: 3,
}
const GIRL: WritingFacts = { ...GUY, writer: 'girl', is_invited: false }

test('a guy may write with Premium, or to a girl who wrote to him or liked him', () => {
  equal(findWritingRefusal(GUY), undefined)
  equal(findWritingRefusal({ ...GUY, is_invited: false }), 'premium_only')
  equal(findWritingRefusal({ ...GUY, is_invited: false, is_premium: true }), undefined)
})

test('a girl may write a few messages until the guy has written one', () => {
  equal(findWritingRefusal(GIRL), undefined)
  equal(findWritingRefusal({ ...GIRL, unanswered: 2 }), undefined)
  equal(findWritingRefusal({ ...GIRL, unanswered: 3 }), 'no_first_write')
  equal(findWritingRefusal({ ...GIRL, unanswered: 3, has_answer: true }), undefined)
})

test('no one writes to a user who is gone, or over a block', () => {
  for (const facts of [GUY, GIRL, { ...GUY, is_premium: true }]) {
    equal(findWritingRefusal({ ...facts, is_blocked: true }), 'blocked')
    equal(findWritingRefusal({ ...facts, is_blocked: true, is_gone: true }), 'not_found')
  }
})

test('a charge counts only for a user who may write', () => {
  deepEqual(decideWriting(GUY, { type: 'free' }), { type: 'free' })
  const refused = { type: 'refused', refusal: 'blocked' }
  deepEqual(decideWriting({ ...GUY, is_blocked: true }, { type: 'free' }), refused)
})

test('a guy sends pictures with Premium only', () => {
  equal(maySendPicture(GUY), 'premium_only')
  equal(maySendPicture({ ...GUY, is_premium: true }), undefined)
  equal(maySendPicture(GIRL), undefined)
})

test('a reply of one character or a repeated one earns nothing', () => {
  equal(qualifies('hi', false), true)
  equal(qualifies(' h ', false), false)
  equal(qualifies('👋🏽', false), true)
  equal(qualifies('hello', true), false)
})

test('only what a girl writes to a guy without Premium disappears', () => {
  const read = Temporal.Instant.from('2030-03-04T10:00:00Z')
  const time = (sender: 'guy' | 'girl', isPremium: boolean) =>
    vanishTime({ sender, reader_premium: isPremium }, read, 3600)?.toString()
  equal(time('girl', false), '2030-03-04T11:00:00Z')
  equal(time('girl', true), undefined)
  equal(time('guy', false), undefined)
})
