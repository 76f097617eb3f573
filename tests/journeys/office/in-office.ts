import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Saves a picture of the page when a run asks for pictures. */
export async function shot(person: BrowserUser, name: string): Promise<void> {
  const { SHOTS } = process.env
  if (SHOTS) await person.page.screenshot({ path: `${SHOTS}/${name}.png` })
}

/** Barriers that axe finds on the page. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run: () => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }
    }
    const { violations } = await axe.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** The office as a demo's member of staff. */
export async function enterOffice(
  testApp: BrowserTestApp,
  role: 'Moderator' | 'Owner',
  screen: 'desktop' | 'phone' = 'desktop',
): Promise<BrowserUser> {
  const person = await testApp.visit('/office/', screen)
  await person.button(role).click()
  await person.sees(person.heading('Complaints'))
  return person
}
