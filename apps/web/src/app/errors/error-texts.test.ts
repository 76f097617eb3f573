import { beforeAll, expect, test } from 'vitest'
import { actions, endpoints, refusalNames } from '@duet/protocol'
import { activate, hasText } from '../../shared/i18n.ts'
import { errorTexts, type ErrorDialogInput } from './error-texts.ts'
import { getArea } from './report.ts'

beforeAll(() => activate('en'))
const failed = (change: Partial<ErrorDialogInput>) =>
  errorTexts({
    area: 'general',
    refusal: 'unknown',
    code: 0,
    http_status: 0,
    additional: {},
    ...change,
  })

test.each(refusalNames)('refusal %s of the wire has a text', (refusal) => {
  expect(hasText(`error.${refusal}`)).toBe(true)
  expect(failed({ refusal }).text).not.toBe(failed({ code: 123_456 }).text)
})

test('every action and endpoint has a title for its area', () => {
  for (const call of [...Object.keys(actions), ...Object.keys(endpoints)])
    expect(hasText(`error.title.${getArea(call)}`)).toBe(true)
})

test('an answer without a code is shown with its HTTP status', () => {
  expect(failed({ http_status: 502 }).meta).toContain('502')
})

test('an unknown refusal has the undefined title and shows its code', () => {
  const { title, meta } = failed({ code: 123_456 })
  expect(title).toBe(failed({ code: 654_321 }).title)
  expect(title).not.toBe(failed({ refusal: 'not_found' }).title)
  expect(meta).toContain('123456')
})

test('a text of the area comes before the text of the refusal alone', () => {
  const of = (area: string, refusal: 'not_found' | 'spending_limit') =>
    failed({ area, refusal }).text
  expect(of('chat', 'not_found')).not.toBe(of('general', 'not_found'))
  expect(of('chat', 'spending_limit')).toBe(of('general', 'spending_limit'))
})

test('values of the refusal are shown in its sentence', () => {
  const minimum = failed({ refusal: 'below_minimum', additional: { min_coins: '6250' } })
  expect(minimum.text).toContain('6250')
  expect(failed({ refusal: 'internal', additional: { id: 'abc-1' } }).text).toContain('abc-1')
})
