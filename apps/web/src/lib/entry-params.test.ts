import { expect, test } from 'vitest'
import { memoryStore, persistence } from '@duet/client'
import { entryParams, readEntryParams, takeEntryParams } from './entry-params.ts'

const take = (path: string) => takeEntryParams(new URL(path, 'https://duet.test'))

test('an entry link is read whole and leaves a clean address', () => {
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
  'a visitor from %s starts with the camera, by either name of the parameter',
  (source) => {
    expect(take(`/?utm_source=${source}`).params.starts_camera).toBe(true)
    expect(take(`/?cam=${source}`).params.starts_camera).toBe(true)
  },
)

test('what is too long, empty or of another kind is not taken', () => {
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

test('the code of who sent somebody outlives a reload', () => {
  const kept = persistence(memoryStore())
  history.replaceState(null, '', '/?rc=AB12')
  readEntryParams(kept)
  expect(location.search).toBe('')
  readEntryParams(kept)
  expect(entryParams().ref_code).toBe('AB12')
})
