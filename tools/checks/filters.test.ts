import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { FILTER_FILES, filterComplaints } from './filters.ts'

function found(path: string, text: string): string[] {
  return filterComplaints(new Map([[path, text]])).map(
    (complaint) => /"(.*)" filters/.exec(complaint)?.[1] ?? complaint,
  )
}

const inClass = (classes: string) => found('apps/web/src/a.tsx', `<img className="${classes}" />`)

test('a blur is found on every element, behind variants too', () => {
  deepEqual(inClass('size-full blur-[28px]'), ['blur-[28px]'])
  deepEqual(inClass('size-4 md:blur-md'), ['md:blur-md'.slice(3)])
  deepEqual(inClass('backdrop-blur-sm'), ['backdrop-blur-sm'])
  deepEqual(inClass('transition-[filter]'), ['transition-[filter]'])
})

test('another filter is found on an element that fills its container, also in another string', () => {
  deepEqual(inClass('absolute inset-0 brightness-75'), ['brightness-75'])
  deepEqual(
    found('apps/web/src/a.tsx', `<video className={cx('size-full', dim && 'grayscale-[.7]')} />`),
    ['grayscale-[.7]'],
  )
})

test('a button that brightens under the pointer passes, and words that only look alike pass', () => {
  deepEqual(inClass('rounded-full hover:brightness-110'), [])
  deepEqual(inClass('inset-0 blurred-card filters'), [])
  deepEqual(found('apps/web/src/a.ts', `list.filter(Boolean); input.blur()`), [])
})

test('CSS filters only glass, and what says why its element is small', () => {
  deepEqual(found('packages/ui/src/a.css', '.glass { backdrop-filter: blur(22px) }'), [])
  deepEqual(found('packages/ui/src/a.css', '.lean .glass { backdrop-filter: none }'), [])
  deepEqual(found('packages/ui/src/a.css', '.stage { backdrop-filter: blur(2px) }'), [
    'backdrop-filter',
  ])
  deepEqual(found('packages/ui/src/a.css', '.stage { color: red; filter: blur(2px) }'), ['filter'])
  deepEqual(
    found('packages/ui/src/a.css', '.lens {\n/* small: once */\nfilter: brightness(2)\n}'),
    [],
  )
})

test('tests and generated files are not read', () => {
  equal(FILTER_FILES('apps/web/src/a.test.tsx'), false)
  equal(FILTER_FILES('apps/web/src/a.gen.ts'), false)
  equal(FILTER_FILES('packages/ui/src/a.tsx'), true)
})
