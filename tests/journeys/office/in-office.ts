import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { codeAt } from '@duet/testkit/test-staff.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Saves a picture of the page when a run asks for pictures. */
export async function shot(person: BrowserUser, name: string): Promise<void> {
  const { SHOTS } = process.env
  if (SHOTS) await person.page.screenshot({ path: `${SHOTS}/${name}.png` })
}

/** Barriers that axe finds on the page, in both themes. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const found = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.waitForFunction(
      (theme) => document.documentElement.dataset['theme'] === theme,
      colorScheme,
    )
    found.push(...(await runAxe(page)).map((barrier) => `${colorScheme}: ${barrier}`))
  }
  return found
}

function runAxe(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    // Colours that still change to the other theme are not yet those that a person reads.
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish()
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

/** A member of staff with factors of their own, signed in by the link of the operator. */
export async function setUpMember(
  testApp: BrowserTestApp,
  role: 'manager' | 'owner',
  email = 'dana@duet.example',
) {
  const password = 'office-secret-1'
  const { link } = (await testApp.duet('staff', 'add', email, '--role', role)) as {
    link: string
  }
  const member = await testApp.visit(new URL(link).pathname + new URL(link).hash)
  await member.sees(member.heading('Set up your sign-in'))
  const secret = (await member.page.locator('code').textContent())!
  await member.page.getByLabel('New password').fill(password)
  await member.page.getByLabel('One-time code').fill(codeAt(secret, testApp.clock.now()))
  await shot(member, 'office-setup')
  await member.button('Save and sign in').click()
  await member.sees(member.heading('Complaints'))
  return { member, secret, password }
}

/** A member whose proof is no longer fresh gives both factors again, in the dialog that asks for them. */
export async function proveAgain(
  testApp: BrowserTestApp,
  { member, secret, password }: Awaited<ReturnType<typeof setUpMember>>,
): Promise<void> {
  const dialog = member.page.getByRole('dialog', { name: 'Prove that it is you' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByLabel('One-time code').fill(codeAt(secret, testApp.clock.now()))
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await member.seesNo(dialog)
}
