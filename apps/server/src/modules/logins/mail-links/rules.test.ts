import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import {
  decideLink,
  mayMailRecovery,
  validUntil,
  type LinkEvent,
  type MailedLink,
} from './rules.ts'

const OPENED = Temporal.Instant.from('2030-03-04T09:00:00Z')
const link: MailedLink = {
  link_id: '00000000-0000-4000-8000-000000000001',
  user_id: 1,
  purpose: 'recovery',
  email: 'boris@duet.example',
  key_hash: Buffer.alloc(32),
  state: 'open',
  opened_at: OPENED,
  wake_at: validUntil('recovery', OPENED),
  closed_at: null,
}
const recovered: LinkEvent = { type: 'recovered', is_current: true, password_hash: 'hash' }
const confirmed: LinkEvent = { type: 'confirmed', is_current: true }
const emailLink: MailedLink = { ...link, purpose: 'email', wake_at: validUntil('email', OPENED) }

function decided(of: MailedLink, event: LinkEvent, minutes = 1): string[] {
  const { state, commands } = decideLink(of, event, OPENED.add({ minutes }))
  return [state.state, ...commands.map(({ type }) => type)]
}

test('a link works once, for its own purpose and in its time', () => {
  for (const [of, event, minutes, expected] of [
    [link, recovered, 1, ['used', 'set_password']],
    [link, recovered, 9, ['used', 'set_password']],
    [link, recovered, 10, ['expired', 'refuse']],
    [link, confirmed, 1, ['open', 'refuse']],
    [link, { ...recovered, is_current: false }, 1, ['replaced', 'refuse']],
    [{ ...link, state: 'used' }, recovered, 1, ['used', 'refuse']],
    [{ ...link, state: 'replaced' }, recovered, 1, ['replaced', 'refuse']],
    [{ ...link, state: 'expired' }, recovered, 1, ['expired', 'refuse']],
    [emailLink, confirmed, 2879, ['used', 'confirm_email']],
    [emailLink, confirmed, 2880, ['expired', 'refuse']],
    [emailLink, recovered, 1, ['open', 'refuse']],
    [emailLink, { ...confirmed, is_current: false }, 1, ['replaced', 'refuse']],
  ] as const)
    deepEqual(decided(of, event, minutes), expected)
})

test('an address that is confirmed is not refused when its link is pressed again', () => {
  const used: MailedLink = { ...emailLink, state: 'used' }
  deepEqual(decided(used, confirmed), ['used'])
  deepEqual(decided(used, { ...confirmed, is_current: false }), ['used', 'refuse'])
})

test('an open link expires by itself, and not before its time', () => {
  deepEqual(decided(link, { type: 'time_came' }, 9), ['open'])
  deepEqual(decided(link, { type: 'time_came' }, 10), ['expired'])
  deepEqual(decided({ ...link, state: 'used' }, { type: 'time_came' }, 10), ['used'])
})

test('the last recovery mail of an hour is kept for the networks of the user', () => {
  deepEqual(
    [0, 1, 2, 3].map((mailed) => mayMailRecovery(mailed, false)),
    [true, true, false, false],
  )
  deepEqual(
    [0, 1, 2, 3].map((mailed) => mayMailRecovery(mailed, true)),
    [true, true, true, false],
  )
  equal(validUntil('recovery', OPENED).since(OPENED).total('minutes'), 10)
})
