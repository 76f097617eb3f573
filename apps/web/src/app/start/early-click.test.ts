import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { takeEarlyClick } from './early-click.ts'

/** The script of the page, as a browser runs it before the application is loaded. */
function runPageScript(): void {
  const page = readFileSync(join(import.meta.dirname, '../../../index.html'), 'utf8')
  const script = /<script>([\s\S]*?)<\/script>/.exec(page)![1]!
  runInThisContext(script)
}

test('a click before the application is loaded runs afterwards, once', () => {
  runPageScript()
  const button = document.createElement('button')
  button.dataset.press = 'start'
  const label = button.appendChild(document.createElement('b'))
  document.body.append(button)
  label.click()
  expect(button.getAttribute('aria-busy')).toBe('true')
  expect(takeEarlyClick()).toBe('start')
  expect(button.hasAttribute('aria-busy')).toBe(false)
  expect(takeEarlyClick()).toBeUndefined()
  button.click()
  expect(takeEarlyClick()).toBeUndefined()
})
