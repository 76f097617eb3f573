import { expect, test } from 'vitest'
import { activate, hasText, intlLocale, localeOfPath, pathInLocale, t } from './i18n.ts'

test('chooses the language of the path, then the stored choice, then the browser, then English', () => {
  expect(localeOfPath('/de/top', 'fr', ['ru'])).toEqual({ locale: 'de', basename: '/de' })
  expect(localeOfPath('/top', 'fr', ['ru'])).toEqual({ locale: 'fr', basename: '/' })
  expect(localeOfPath('/top', undefined, ['nl', 'ru-RU'])).toEqual({ locale: 'ru', basename: '/' })
  expect(localeOfPath('/', 'xx', ['nl'])).toEqual({ locale: 'en', basename: '/' })
  expect(localeOfPath('/development', undefined, [])).toEqual({ locale: 'en', basename: '/' })
})

test('a choice of language stays on the same page', () => {
  expect(pathInLocale('/de/top', 'fr')).toBe('/fr/top')
  expect(pathInLocale('/', 'ja')).toBe('/ja/')
  expect(pathInLocale('/girl/abc', 'ar')).toBe('/ar/girl/abc')
})

test('a language without texts uses the English texts with its own plural rules and digits', async () => {
  await activate('ar')
  expect(t('landing.women_online', { count: 3 })).toContain('3 women')
  expect(intlLocale()).toBe('ar-u-nu-latn')
})

test('finds a text by its own id only', async () => {
  await activate('en')
  expect(hasText('error.wrong_login')).toBe(true)
  expect(hasText('toString')).toBe(false)
})
