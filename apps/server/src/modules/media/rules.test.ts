import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { accessTo, type MediaAccess, type MediaViewer, parseRange } from './rules.ts'

const owner: MediaViewer = { id: 1, age_confirmed: true, premium: false, sees_adult: false }
const free: MediaViewer = { ...owner, id: 2 }
const premium: MediaViewer = { ...free, premium: true }
const wishing: MediaViewer = { ...premium, sees_adult: true }
const young: MediaViewer = { ...premium, age_confirmed: false, sees_adult: true }
const visitor: MediaViewer = { ...young, id: null, premium: false }

type Case = [audience: string, status: string, viewer: MediaViewer, access: MediaAccess]

test('the audience, the state and the viewer decide what is shown', () => {
  const cases: Case[] = [
    ['everyone', 'ready', free, 'full'],
    ['everyone', 'ready', visitor, 'blurred'],
    ['everyone', 'ready', young, 'blurred'],
    ['premium', 'ready', free, 'blurred'],
    ['premium', 'ready', premium, 'full'],
    ['premium', 'ready', young, 'blurred'],
    ['premium', 'ready', owner, 'full'],
    ['adult', 'ready', premium, 'none'],
    ['adult', 'ready', wishing, 'full'],
    ['adult', 'ready', { ...wishing, premium: false }, 'none'],
    ['adult', 'ready', young, 'none'],
    ['adult', 'ready', visitor, 'none'],
    ['adult', 'ready', owner, 'full'],
    ['owner', 'ready', wishing, 'none'],
    ['owner', 'ready', owner, 'full'],
    ['everyone', 'pending', owner, 'full'],
    ['everyone', 'pending', wishing, 'none'],
    ['everyone', 'pending', visitor, 'none'],
    ['everyone', 'removed', owner, 'none'],
    ['everyone', 'removed', wishing, 'none'],
    ['everyone', 'processing', owner, 'none'],
    ['everyone', 'failed', owner, 'none'],
  ]
  for (const [audience, status, viewer, access] of cases)
    equal(
      accessTo({ owner_id: 1, audience, status }, viewer, false),
      access,
      `${audience} ${status} ${JSON.stringify(viewer)}`,
    )
})

test('a viewer sees nothing of an owner who hides from them', () => {
  for (const audience of ['everyone', 'premium', 'adult'])
    equal(accessTo({ owner_id: 1, audience, status: 'ready' }, wishing, true), 'none')
})

test('a range is cut to the file and to a megabyte', () => {
  const megabyte = 1024 * 1024
  for (const [header, size, range] of [
    ['bytes=0-', 100, { start: 0, end: 99 }],
    ['bytes=10-19', 100, { start: 10, end: 19 }],
    ['bytes=-5', 100, { start: 95, end: 99 }],
    ['bytes=-500', 100, { start: 0, end: 99 }],
    ['bytes=90-500', 100, { start: 90, end: 99 }],
    ['bytes=0-', 5 * megabyte, { start: 0, end: megabyte - 1 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    ['bytes=20-10', 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    [undefined, 100, undefined],
    ['bytes=-', 100, undefined],
    ['bytes=0-1,5-6', 100, undefined],
    ['lines=0-1', 100, undefined],
    ['bytes=1e3-', 100, undefined],
  ] as const)
    deepEqual(parseRange(header, size), range, String(header))
})
