import { expect, test } from 'vitest'
import { memoryStore, persistence } from '@duet/client'
import {
  entryFields,
  entryParams,
  forgetEntryFields,
  readEntryParams,
  parseEntryParams,
} from './entry-params.ts'

const take = (path: string) => parseEntryParams(new URL(path, 'https://duet.test'))

test('reads every entry parameter and removes it from the address', () => {
  const { params, rest } = take(
    '/de/top?rc=AB12&email=a%40b.c&to-screen=verify&utm_source=news&x=1#here',
  )
  expect(params).toEqual({
    ref_code: 'AB12',
    invited_as: 'guys',
    email: 'a@b.c',
    to_screen: 'verify',
    utm_source: 'news',
    starts_camera: false,
  })
  expect(rest).toBe('/de/top#here')
})

test('the choices of a page survive a reload and a sent link', () => {
  const { rest } = take('/girls/?rc=AB12&tab=offline&name=Mira+K&x=1')
  expect(rest).toBe('/girls/?tab=offline&name=Mira+K')
  expect(take('/virtualdate/?with=4').rest).toBe('/virtualdate/?with=4')
})

test.each(['land', 'clickadilla_sex_popunder', 'adsterra_popunder', 'adsterra_sex-chat_popunder'])(
  'a visitor from %s starts with the camera, by either parameter name',
  (source) => {
    expect(take(`/?utm_source=${source}`).params.starts_camera).toBe(true)
    expect(take(`/?cam=${source}`).params.starts_camera).toBe(true)
  },
)

test('ignores empty or invalid parameters', () => {
  const { params } = take(
    `/?rc=${'x'.repeat(500)}&email=&to-screen=admin&pseudo=other&utm_source=elsewhere`,
  )
  expect(params).not.toHaveProperty('ref_code')
  expect(params).not.toHaveProperty('email')
  expect(params).not.toHaveProperty('to_screen')
  expect(params).not.toHaveProperty('pseudo')
  expect(params.starts_camera).toBe(false)
})

test('keeps the referral code across a reload', () => {
  const storage = persistence(memoryStore())
  history.replaceState(null, '', '/?rc=AB12')
  readEntryParams(storage)
  expect(location.search).toBe('')
  readEntryParams(storage)
  expect(entryParams().ref_code).toBe('AB12')
})

test.each(['x'.repeat(33), 'a b', 'a%00', '%D0%B0', '../x'])(
  'the referral code %s, which the server would refuse, is neither kept nor sent',
  (code) => {
    const storage = persistence(memoryStore())
    history.replaceState(null, '', `/?rc=${code}`)
    readEntryParams(storage)
    expect(entryFields(storage)).toEqual({})
    expect(storage.get('ref_code')).toBeUndefined()
  },
)

test('a browser that stored a wrong code heals at its next visit', () => {
  const storage = persistence(memoryStore())
  storage.set('ref_code', 'x'.repeat(40))
  history.replaceState(null, '', '/')
  readEntryParams(storage)
  expect(storage.get('ref_code')).toBeUndefined()
  expect(entryFields(storage)).toEqual({})
})

test('values that the server refused are not sent again, also not after a reload', () => {
  const storage = persistence(memoryStore())
  history.replaceState(null, '', '/?rc=AB12&utm_source=news')
  readEntryParams(storage)
  expect(entryFields(storage)).toEqual({ ref_code: 'AB12', signature: 'news' })
  forgetEntryFields(storage)
  expect(entryFields(storage)).toEqual({})
  readEntryParams(storage)
  expect(entryFields(storage)).toEqual({})
})

test('a member sends and keeps no referral code', () => {
  const storage = persistence(memoryStore())
  storage.set('member', true)
  history.replaceState(null, '', '/?rc=AB12')
  readEntryParams(storage)
  expect(entryFields(storage)).toEqual({})
  expect(storage.get('ref_code')).toBeUndefined()
})

test.each(['/girl/k7m2pq9x', '/de/girl/k7m2pq9x/'])(
  'the last segment of %s, the page of a girl, is a referral code',
  (path) => {
    expect(take(path).params.ref_code).toBe('k7m2pq9x')
    expect(take(`${path}?rc=AB12`).params.ref_code).toBe('AB12')
  },
)

test('the screen that a link asks for is known until it was shown', () => {
  const storage = persistence(memoryStore())
  history.replaceState(null, '', '/?to-screen=verify')
  readEntryParams(storage)
  readEntryParams(storage)
  expect(entryParams().to_screen).toBe('verify')
})

test('the number of a demo user in an address only offers the demo users', () => {
  expect(take('/?demo=2').params.demo).toBe('offer')
  const key = '6f1f7a3e-6a8d-4a0e-9d6f-1d1f3b8a7c11'
  expect(take(`/?demo=${key}`).params.demo).toEqual({ key })
})
