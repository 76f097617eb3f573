import { doesNotThrow, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { module } from '../../core/module.ts'
import { modules } from '../../modules.ts'
import {
  createUploadMemory,
  STEP_BYTES,
  type UploadMemory,
  type UploadPart,
  type UploadSender,
} from './upload-memory.ts'

const MEDIA_SHARE = 3 / 4
const LARGEST_BYTES = 52_428_800
const sender = (user: number, network = `192.0.2.${user}`): UploadSender => ({
  user: `member ${user}`,
  network,
  site: undefined,
  is_document: false,
})
const readDocuments = (user: number, network?: string): UploadSender => ({
  ...sender(user, network),
  is_document: true,
})
/** An upload of which this many bytes have arrived. */
function arrivedIn(memory: UploadMemory, from: UploadSender, bytes: number): UploadPart {
  const upload = memory.open(from)
  upload.add(bytes)
  return upload
}

test('uploads that arrive together share a bound of memory, which each gives back once', () => {
  const memory = createUploadMemory((10 / MEDIA_SHARE) * STEP_BYTES)
  const first = arrivedIn(memory, sender(1), 6 * STEP_BYTES)
  const second = arrivedIn(memory, sender(2), 4 * STEP_BYTES)
  throws(() => memory.open(sender(3)), /Too many/)
  throws(() => second.add(1), /Too many/)
  first.release()
  first.release()
  throws(() => arrivedIn(memory, sender(3), 7 * STEP_BYTES), /Too many/)
})

test('uploads that were begun and send nothing take a step each from others, and of a user only four', () => {
  const memory = createUploadMemory()
  for (let user = 1; user <= 25; user += 1)
    for (let count = 0; count < 4; count += 1) memory.open(sender(user))
  throws(() => memory.open(sender(1)), /Too many/)
  for (let user = 31; user <= 34; user += 1) arrivedIn(memory, sender(user), LARGEST_BYTES)
})

test('a user has two of the largest uploads at a time, from whatever network', () => {
  const memory = createUploadMemory()
  const first = arrivedIn(memory, sender(1), LARGEST_BYTES)
  arrivedIn(memory, sender(1, '203.0.113.1'), LARGEST_BYTES)
  throws(() => memory.open(sender(1, '203.0.113.2')), /Too many/)
  doesNotThrow(() => arrivedIn(memory, sender(2), LARGEST_BYTES))
  first.release()
  doesNotThrow(() => arrivedIn(memory, sender(1), LARGEST_BYTES))
})

test('what one network uploads leaves memory to others', () => {
  const memory = createUploadMemory()
  for (let user = 1; user <= 4; user += 1)
    arrivedIn(memory, sender(user, '192.0.2.1'), LARGEST_BYTES)
  throws(() => memory.open(sender(9, '192.0.2.1')), /Too many/)
  doesNotThrow(() => arrivedIn(memory, sender(9), LARGEST_BYTES))
})

test('the networks of one customer have the bound of one network', () => {
  const memory = createUploadMemory()
  const from = (user: number, site = '2001:db8:1::/48') => ({
    ...sender(user, `2001:db8:1:${user}::/64`),
    site,
  })
  for (let user = 1; user <= 4; user += 1) arrivedIn(memory, from(user), LARGEST_BYTES)
  throws(() => memory.open(from(5)), /Too many/)
  doesNotThrow(() => arrivedIn(memory, from(5, '2001:db8:2::/48'), LARGEST_BYTES))
})

test('videos of several networks leave memory to pictures', () => {
  const memory = createUploadMemory()
  for (let user = 1; user <= 6; user += 1) arrivedIn(memory, sender(user), LARGEST_BYTES)
  throws(() => arrivedIn(memory, sender(8), LARGEST_BYTES), /Too many/)
  for (let user = 21; user <= 28; user += 1)
    doesNotThrow(() => arrivedIn(memory, sender(user), 10 * STEP_BYTES))
})

test('what a few members hold in a few networks leaves memory to documents of identity', () => {
  const memory = createUploadMemory()
  // Each sends all that is taken, in pictures, videos and documents.
  for (let user = 1; user <= 6; user += 1)
    for (const bytes of [50, 10, 10, 10, 10, 10, 10].map((count) => count * STEP_BYTES))
      for (const from of [
        sender(user, `192.0.2.${user % 3}`),
        readDocuments(user, `192.0.2.${user % 3}`),
      ])
        try {
          arrivedIn(memory, from, bytes)
        } catch {
          // Refused: the memory is for others.
        }
  doesNotThrow(() => arrivedIn(memory, readDocuments(9), 30 * STEP_BYTES))
})

const arrived: (() => void)[] = []
const answers = Promise.withResolvers<void>()
const slowUploads = module('profile', {
  ...modules.find(({ name }) => name === 'profile'),
  endpoints: {
    'POST avatar': (async () => {
      arrived.shift()?.()
      await answers.promise
      return { avatar: 'stored', status: 'ready' }
    }) as never,
  },
})

story.with({
  modules: [...modules.filter(({ name }) => name !== 'profile'), slowUploads],
})('open uploads of a user refuse the next one of this user only', async ({ anna, boris }) => {
  const form = () => {
    const data = new FormData()
    data.set('img', new Blob([new Uint8Array(10)]), 'a.png')
    return data
  }
  /** Sends no length: it may take the ten megabytes of a picture. */
  const open = async (user: TestUser) => {
    const arrival = Promise.withResolvers<void>()
    arrived.push(arrival.resolve)
    const body = new Response(form())
    const answer = fetch(`${user.testApp.origin}/api/avatar`, {
      method: 'POST',
      body: body.body,
      duplex: 'half',
      headers: { 'content-type': body.headers.get('content-type')!, 'chat-token': user.token! },
    } as RequestInit)
    await arrival.promise
    return { answer }
  }
  const opened = []
  for (let count = 0; count < 4; count += 1) opened.push(await open(boris))
  await boris.isRefused('too_many', () => boris.post('avatar', form()))
  opened.push(await open(anna))
  answers.resolve()
  for (const { answer } of opened) equal((await answer).status, 200)
  await boris.post('avatar', form())
})
