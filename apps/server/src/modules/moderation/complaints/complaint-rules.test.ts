import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { compareComplaints, holdsData, isSerious, suspends } from './complaint-rules.ts'

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
  const standing = { is_member: true, has_contact: true, is_doubtful: false }
  equal(suspends(complaint('child'), standing), true)
  equal(suspends(complaint('child'), { ...standing, is_member: false }), false)
  equal(suspends(complaint('child'), { ...standing, has_contact: false }), false)
  equal(suspends(complaint('child'), { ...standing, is_doubtful: true }), false)
  equal(suspends(complaint('threats'), standing), false)
})

test('a stranger keeps no data of a user', () => {
  const standing = { is_member: true, has_contact: true, is_doubtful: true }
  equal(holdsData(standing), true)
  equal(holdsData({ ...standing, has_contact: false }), false)
  equal(holdsData({ ...standing, is_member: false }), false)
})

test('a second complaint is a repetition, a raise, or refused', () => {
  equal(compareComplaints(former('spam'), complaint('spam')), 'repeated')
  equal(compareComplaints(former('spam'), complaint('spam', false, 'more')), 'refused')
  equal(compareComplaints(former('spam'), complaint('fraud')), 'refused')
  equal(compareComplaints(former('spam'), complaint('child')), 'raised')
  equal(compareComplaints(former('spam', true), complaint('child')), 'refused')
  equal(compareComplaints(former('spam'), complaint('threats', true)), 'raised')
  equal(compareComplaints(former('child'), complaint('threats', true)), 'repeated')
  const ofPanic = { ...former('threats'), is_panic: true }
  equal(compareComplaints(ofPanic, complaint('child')), 'raised')
  equal(compareComplaints(ofPanic, complaint('threats', true)), 'repeated')
})
