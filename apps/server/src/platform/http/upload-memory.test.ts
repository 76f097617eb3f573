import { doesNotThrow, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { module } from '../../core/module.ts'
import { modules } from '../../modules.ts'
import { createUploadMemory } from './upload-memory.ts'

const LARGEST_BYTES = 52_428_800
const upload = (user: number, bytes = 0, network = `192.0.2.${user}`) => ({
  user: `member ${user}`,
  network,
  site: undefined,
  is_video: bytes === LARGEST_BYTES,
  bytes,
})

test('uploads that arrive together share a bound of memory, which each gives back once', () => {
  const memory = createUploadMemory(100)
  const release = memory.reserve(upload(1, 60))
  throws(() => memory.reserve(upload(2, 41)), /Too many/)
  memory.reserve(upload(2, 40))
  release()
  release()
  throws(() => memory.reserve(upload(3, 61)), /Too many/)
  doesNotThrow(() => memory.reserve(upload(3, 60)))
})

test('a user has two of the largest uploads at a time, from whatever network', () => {
  const memory = createUploadMemory()
  const release = memory.reserve(upload(1, LARGEST_BYTES))
  memory.reserve(upload(1, LARGEST_BYTES, '203.0.113.1'))
  throws(() => memory.reserve(upload(1, 1, '203.0.113.2')), /Too many/)
  doesNotThrow(() => memory.reserve(upload(2, LARGEST_BYTES)))
  release()
  doesNotThrow(() => memory.reserve(upload(1, LARGEST_BYTES)))
})

test('what one network uploads leaves memory to others', () => {
  const memory = createUploadMemory()
  for (let user = 1; user <= 4; user += 1) memory.reserve(upload(user, LARGEST_BYTES, '192.0.2.1'))
  throws(() => memory.reserve(upload(9, 1, '192.0.2.1')), /Too many/)
  doesNotThrow(() => memory.reserve(upload(9, LARGEST_BYTES)))
})

test('the networks of one customer have the bound of one network', () => {
  const memory = createUploadMemory()
  const site = '2001:db8:1::/48'
  const from = (user: number) => ({
    ...upload(user, LARGEST_BYTES, `2001:db8:1:${user}::/64`),
    site,
  })
  for (let user = 1; user <= 4; user += 1) memory.reserve(from(user))
  throws(() => memory.reserve(from(5)), /Too many/)
  doesNotThrow(() => memory.reserve({ ...from(5), site: '2001:db8:2::/48' }))
})

test('videos of several networks leave memory to pictures and documents', () => {
  const memory = createUploadMemory()
  for (let user = 1; user <= 7; user += 1) memory.reserve(upload(user, LARGEST_BYTES))
  throws(() => memory.reserve(upload(8, LARGEST_BYTES)), /Too many/)
  for (let user = 8; user <= 11; user += 1)
    doesNotThrow(() => memory.reserve(upload(user, 30 * 1024 * 1024)))
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
  for (let count = 0; count < 10; count += 1) opened.push(await open(boris))
  await boris.isRefused('too_many', () => boris.post('avatar', form()))
  opened.push(await open(anna))
  answers.resolve()
  for (const { answer } of opened) equal((await answer).status, 200)
  await boris.post('avatar', form())
})
