import { expect, test } from 'vitest'
import { memoryStore, persistence } from '@duet/client'
import { entryParams, readEntryParams, parseEntryParams } from './entry-params.ts'

const take = (path: string) => parseEntryParams(new URL(path, 'https://duet.test'))

test('reads every entry parameter and removes it from the address', () => {
  const { params, rest } = take(
    '/de/top?rc=AB12&email=a%40b.c&to-screen=verify&utm_source=news&x=1#here',
  )
  expect(params).toEqual({
    ref_code: 'AB12',
    email: 'a@b.c',
    to_screen: 'verify',
    utm_source: 'news',
    starts_camera: false,
  })
  expect(rest).toBe('/de/top#here')
})

test.each(['land', 'clickadilla_sex_popunder', 'adsterra_popunder', 'adsterra_sex-chat_popunder'])(
  'a visitor from %s starts with the camera, by either parameter name',
  (source) => {
    expect(take(`/?utm_source=${source}`).params.starts_camera).toBe(true)
    expect(take(`/?cam=${source}`).params.starts_camera).toBe(true)
  },
)

test('cuts long values and ignores empty or invalid parameters', () => {
  const { params } = take(
    `/?rc=${'x'.repeat(500)}&email=&to-screen=admin&demo=-1&pseudo=other&utm_source=elsewhere`,
  )
  expect(params.ref_code).toHaveLength(64)
  expect(params).not.toHaveProperty('email')
  expect(params).not.toHaveProperty('to_screen')
  expect(params).not.toHaveProperty('demo_user_id')
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
