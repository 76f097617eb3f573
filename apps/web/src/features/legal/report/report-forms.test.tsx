import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { MemoryRouter } from 'react-router'
import { RefusedError } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { FrameProvider } from '../../../shared/frame.tsx'
import { activate, t } from '../../../shared/i18n.ts'
import { IntimateImageForm } from './report-forms.tsx'

vi.mock('../../../shared/account/auth-status.ts', () => ({ useAuthStatus: () => 'guest' }))

let root: Root
const post = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('scrollTo', () => {})
  post.mockReset()
  await activate('en', ['app', 'report'])
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const services = { connection: { http: { post } } } as unknown as AppServices
  await act(async () =>
    root.render(
      <MemoryRouter>
        <AppServicesProvider services={services}>
          <FrameProvider header_end={null}>
            <IntimateImageForm />
          </FrameProvider>
        </AppServicesProvider>
      </MemoryRouter>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

const refused = (refusal: 'key_reused' | 'email_invalid') =>
  new RefusedError('POST reports/intimate-image', refusal)

function write(name: string, text: string) {
  const field = document.querySelector<HTMLInputElement>(`[name="${name}"]`)!
  const kind = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(kind.prototype, 'value')!.set!.call(field, text)
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

async function fillIn() {
  await act(async () => {
    write('where', 'In a profile')
    write('contact', 'vera@journey.example')
    write('signature', 'Vera Novak')
  })
  await act(async () => document.querySelector<HTMLElement>('input[type="checkbox"]')!.click())
}

const send = () =>
  act(async () => document.querySelector<HTMLElement>('button[type="submit"]')!.click())

test('an empty form is not sent, and the first empty field has the focus', async () => {
  await send()
  expect(post).not.toHaveBeenCalled()
  expect(document.activeElement?.getAttribute('name')).toBe('where')
  expect(document.body.textContent).toContain(t('report.problem.agreement'))
})

test('an address that the server does not take is shown at its field', async () => {
  post.mockRejectedValueOnce(refused('email_invalid'))
  await fillIn()
  await send()
  expect(document.activeElement?.getAttribute('name')).toBe('contact')
  expect(document.body.textContent).toContain(t('report.problem.email'))
})

test('the language of the page is sent with the form', async () => {
  post.mockResolvedValueOnce({ receipt: 'ABCDE-FGHJK', answer_until: '2026-12-08T10:00:00.000Z' })
  await fillIn()
  await send()
  expect(post.mock.calls[0]![1]).toMatchObject({ locale: 'en' })
  expect(document.body.textContent).toContain('/en/report/state#')
})

test('other words after a lost answer are sent with a secret of their own', async () => {
  post.mockRejectedValueOnce(refused('key_reused'))
  post.mockResolvedValueOnce({ receipt: 'ABCDE-FGHJK', answer_until: '2026-12-08T10:00:00.000Z' })
  await fillIn()
  await send()
  const [first, second] = post.mock.calls.map(([, body]) => (body as { secret: string }).secret)
  expect(first).toMatch(/^[\w-]{43}$/)
  expect(second).toMatch(/^[\w-]{43}$/)
  expect(second).not.toBe(first)
  expect(document.body.textContent).toContain('ABCDE-FGHJK')
  expect(document.body.textContent).toContain(`/report/state#${second}`)
})
