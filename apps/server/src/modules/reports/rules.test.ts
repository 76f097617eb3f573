import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { answerUntil, holidaysBetween, median, namedUploads, createReceipt } from './rules.ts'

test('an intimate picture is answered within 48 hours, the others within seven business days', () => {
  const cases = [
    ['intimate_image', '2026-11-27T10:00:00Z', '2026-11-29T10:00:00Z'],
    // From a Friday, a Saturday, a Sunday, a Monday.
    ['content', '2026-11-27T10:00:00Z', '2026-12-08T10:00:00Z'],
    ['content', '2026-11-28T10:00:00Z', '2026-12-08T10:00:00Z'],
    ['authority', '2026-11-29T10:00:00Z', '2026-12-08T10:00:00Z'],
    ['authority', '2026-11-30T10:00:00Z', '2026-12-09T10:00:00Z'],
    // Saturday already at GMT+3.
    ['content', '2026-11-27T22:00:00Z', '2026-12-07T22:00:00Z'],
  ] as const
  for (const [kind, filed, until] of cases)
    equal(
      answerUntil({ kind, reason: 'other' }, Temporal.Instant.from(filed)).toString(),
      until,
      `${kind} ${filed}`,
    )
})

test('a report about a child is answered within a day, whatever the day', () => {
  const filed = Temporal.Instant.from('2026-12-25T10:00:00Z')
  const answer_until = answerUntil({ kind: 'content', reason: 'child' }, filed, ['2026-12-26'])
  equal(answer_until.toString(), '2026-12-26T10:00:00Z')
  const times = { kind: 'content', reason: 'child', filed_at: filed, answer_until }
  deepEqual(holidaysBetween(['2026-12-26'], times), [])
})

test('public holidays are no business days, and weekends among them count once', () => {
  const filed = Temporal.Instant.from('2026-12-21T10:00:00Z')
  const holidays = ['2026-12-24', '2026-12-25', '2026-12-26', '2027-01-01']
  equal(answerUntil({ kind: 'content', reason: 'other' }, filed).toString(), '2026-12-30T10:00:00Z')
  const answer_until = answerUntil({ kind: 'content', reason: 'other' }, filed, holidays)
  equal(answer_until.toString(), '2027-01-04T10:00:00Z')
  equal(
    answerUntil({ kind: 'intimate_image', reason: 'other' }, filed, holidays).toString(),
    '2026-12-23T10:00:00Z',
  )
  deepEqual(
    holidaysBetween(holidays, { kind: 'content', reason: 'other', filed_at: filed, answer_until }),
    holidays,
  )
  deepEqual(
    holidaysBetween(['2026-12-21'], {
      kind: 'content',
      reason: 'other',
      filed_at: filed,
      answer_until,
    }),
    [],
  )
})

test('the addresses of pictures name their uploads, a few of them', () => {
  const id = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`
  deepEqual(
    namedUploads(`https://duet.example/media/${id('a')}/full?viewer=1 and ${id('A')} ${id('b')}`),
    [id('a'), id('b')],
  )
  deepEqual(namedUploads('her profile, the third photo'), [])
  equal(namedUploads([...'123456789'].map(id).join(' ')).length, 5)
})

test('a receipt is short, and differs for each secret', () => {
  match(createReceipt('a'), /^[A-HJ-NP-Z2-9]{5}-[A-HJ-NP-Z2-9]{5}$/)
  equal(createReceipt('a') === createReceipt('b'), false)
})

test('the median of none, one, two and three', () => {
  deepEqual([[], [4], [1, 4], [9, 1, 4]].map(median), [null, 4, 2.5, 4])
})
