import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { DIRECTION_FILES, directionComplaints } from './direction.ts'

function found(path: string, text: string): string[] {
  return directionComplaints(new Map([[path, text]])).map(
    (complaint) => /"(.*)" is physical/.exec(complaint)?.[1] ?? complaint,
  )
}

const inClass = (classes: string) => found('apps/web/src/a.tsx', `<p className="${classes}" />`)

test('physical classes are found, behind variants and signs too', () => {
  deepEqual(inClass('flex ml-2'), ['ml-2'])
  deepEqual(inClass('md:hover:-mr-4'), ['-mr-4'])
  deepEqual(inClass('pl-[3px] right-0 left-1/2'), ['pl-[3px]', 'right-0', 'left-1/2'])
  deepEqual(inClass('text-left float-right'), ['text-left', 'float-right'])
  deepEqual(inClass('border-l rounded-tr-lg'), ['border-l', 'rounded-tr'])
})

test('logical classes and words that only look alike pass', () => {
  deepEqual(inClass('ms-2 pe-4 start-0 end-1/2 text-start border-s rounded-se-lg ps-[3px]'), [])
  deepEqual(inClass('pair-left left-behind html-2 xml-4'), [])
  deepEqual(found('apps/web/src/a.tsx', `if (event.key === 'ArrowLeft') back(rect.left - 4)`), [])
})

test('a class is found in any string of a ts file, not in its code', () => {
  deepEqual(
    found('packages/ui/src/look.ts', `const look = cx('p-2', wide && 'mr-2')\nconst left = ml-2`),
    ['mr-2'],
  )
})

test('physical properties of CSS are found', () => {
  deepEqual(
    found(
      'packages/ui/src/a.css',
      '.a { margin-left: 2px; text-align: right; inset-inline-start: 0; left: 3px }',
    ),
    ['margin-left:', 'text-align: right', 'left:'],
  )
})

test('an inline style is no way around', () => {
  deepEqual(found('apps/web/src/a.tsx', '<p style={{ marginLeft: 4 }} />'), ['marginLeft:'])
})

test('what is truly physical says why and passes', () => {
  deepEqual(
    found('packages/ui/src/a.css', '/* physical: the picture has its own sides */\n.a { left: 0 }'),
    [],
  )
})

test('only what is seen is looked at', () => {
  equal(DIRECTION_FILES('apps/server/src/lib/paging/pagination.ts'), false)
  equal(DIRECTION_FILES('packages/ui/src/controls/button.tsx'), true)
})
