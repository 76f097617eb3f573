import { expect, test } from 'vitest'
import page from '../../index.html?raw'
import { takeEarlyClick } from './early-click.ts'

test('a click before the application is loaded is kept for it, once', () => {
  const button = document.createElement('button')
  button.dataset.press = 'start'
  document.body.append(button)
  const [, script] = /<script>([\s\S]*?)<\/script>/.exec(page)!
  // The script of the page runs as the browser runs it: in the global scope.
  // eslint-disable-next-line no-implied-eval, no-new-func
  new Function(script!)()
  button.click()
  expect(takeEarlyClick()).toBe('start')
  button.click()
  expect(takeEarlyClick()).toBeUndefined()
})
