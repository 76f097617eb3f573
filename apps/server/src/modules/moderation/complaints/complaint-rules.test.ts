import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { compareComplaints, isSerious, suspends } from './complaint-rules.ts'

const complaint = (reason: string, is_panic = false, comment = '') => ({
  reason,
  is_panic,
  comment,
})
const former = (reason: string, isDecided = false) => ({
  ...complaint(reason),
  is_decided: isDecided,
})

test('a complaint about a minor and the panic key are serious, and no other complaint', () => {
  equal(isSerious(complaint('child')), true)
  equal(isSerious(complaint('other', true)), true)
  equal(isSerious(complaint('nudity')), false)
})

test('only a complaint about a minor of a member who had contact suspends', () => {
  const contact = { is_member: true, has_contact: true }
  equal(suspends(complaint('child'), contact), true)
  equal(suspends(complaint('child'), { ...contact, is_member: false }), false)
  equal(suspends(complaint('child'), { ...contact, has_contact: false }), false)
  equal(suspends(complaint('threats'), contact), false)
})

test('a second complaint is a repetition, a raise, or refused', () => {
  equal(compareComplaints(former('spam'), complaint('spam')), 'repeated')
  equal(compareComplaints(former('spam'), complaint('spam', false, 'more')), 'refused')
  equal(compareComplaints(former('spam'), complaint('fraud')), 'refused')
  equal(compareComplaints(former('spam'), complaint('child')), 'raised')
  equal(compareComplaints(former('spam', true), complaint('child')), 'refused')
  equal(compareComplaints(former('spam'), complaint('threats', true)), 'raised')
  equal(compareComplaints(former('child'), complaint('threats', true)), 'repeated')
})
