import { expect, test } from 'vitest'
import { firstLayout } from './first-layout.ts'

test('keeps the first screen and the boxes of the later sections, without their content', () => {
  const html =
    '<main class="hero"><p>Hello</p></main><div class="bg"><section class="below-fold chapter"><b>Later</b></section><ul class="below-fold-phone"><li>Reason</li></ul></div>'
  expect(firstLayout(html)).toBe(
    '<main class="hero"><p>Hello</p></main><div class="bg"><section class="below-fold chapter"></section><ul class="below-fold-phone"><li>Reason</li></ul></div>',
  )
})
