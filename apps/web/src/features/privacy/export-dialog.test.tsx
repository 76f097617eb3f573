import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { RefusedError, type ClientConnection } from '@duet/client'
import { AppServicesProvider, type AppServices } from '../../shared/app-services.tsx'
import { activate, t } from '../../shared/i18n.ts'
import { ExportDialog } from './export-dialog.tsx'

let root: Root
let post: ReturnType<typeof vi.fn>
const close = vi.fn()

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({
    matches: false,
    addEventListener() {},
    removeEventListener() {},
  }))
  close.mockReset()
  post = vi.fn()
  await activate('en')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  const connection = { http: { post } } as unknown as ClientConnection
  await act(async () =>
    root.render(
      <AppServicesProvider services={{ connection, report() {} } as unknown as AppServices}>
        <ExportDialog input={{}} open close={close} />
      </AppServicesProvider>,
    ),
  )
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const submit = () =>
  act(async () => {
    document.querySelector('form')!.requestSubmit()
  })

test('a wrong password is told beside its field, a right one opens the file', async () => {
  post.mockRejectedValueOnce(new RefusedError('POST account/export', 'password_required'))
  await submit()
  expect(close).not.toHaveBeenCalled()
  expect(document.body.textContent).toContain(t('error.password_required'))
  post.mockResolvedValueOnce({ key: 'a-key', expires_at: '2026-12-06T00:00:00Z' })
  await submit()
  expect(close).toHaveBeenCalledWith({ key: 'a-key' })
})
