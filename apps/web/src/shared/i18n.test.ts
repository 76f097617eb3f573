import { expect, test } from 'vitest'
import { activate, hasText, intlLocale, localeOfPath, pathInLocale, t } from './i18n.ts'
import { lengthened } from './pseudo-locale.ts'

test('the prefix of the path wins over the choice, the choice over the browser, English is last', () => {
  expect(localeOfPath('/de/top', 'fr', ['ru'])).toEqual({ locale: 'de', basename: '/de' })
  expect(localeOfPath('/top', 'fr', ['ru'])).toEqual({ locale: 'fr', basename: '/' })
  expect(localeOfPath('/top', undefined, ['nl', 'ru-RU'])).toEqual({ locale: 'ru', basename: '/' })
  expect(localeOfPath('/', 'xx', ['nl'])).toEqual({ locale: 'en', basename: '/' })
  expect(localeOfPath('/development', undefined, [])).toEqual({ locale: 'en', basename: '/' })
})

test('choosing a language stays on the same page', () => {
  expect(pathInLocale('/de/top', 'fr')).toBe('/fr/top')
  expect(pathInLocale('/', 'ja')).toBe('/ja/')
  expect(pathInLocale('/girl/abc', 'ar')).toBe('/ar/girl/abc')
})

test('a language without texts of its own speaks English in its own plural and digits', async () => {
  await activate('ar')
  expect(t('landing.women_online', { count: 3 })).toContain('3 women')
  expect(intlLocale()).toBe('ar-u-nu-latn')
})

test('the long pseudo-locale lengthens plain sentences, counts and marked ones alike', async () => {
  await activate('en')
  const plain = {
    sentence: t('landing.lead'),
    count: t('landing.women_online', { count: 1 }),
    marked: t('landing.title'),
  }
  await activate('en', lengthened)
  expect(t('landing.lead').length).toBeGreaterThan(plain.sentence.length * 1.3)
  expect(t('landing.women_online', { count: 1 }).length).toBeGreaterThan(plain.count.length)
  expect(t('landing.title')).toMatch(/<em>.*<\/em>/)
  expect(t('landing.title').length).toBeGreaterThan(plain.marked.length)
  await activate('en')
})

test('a text is known by its own id only', async () => {
  await activate('en')
  expect(hasText('error.wrong_login')).toBe(true)
  expect(hasText('toString')).toBe(false)
})
