import { QueryClientProvider } from '@tanstack/react-query'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memoryStore, persistence, type ClientConnection } from '@duet/client'
import { addFiles, arrivedFiles, uploads } from '../../features/media/uploads.ts'
import { useDraft, type OwnDraft } from '../../features/verification/draft-store.ts'
import { AppServicesProvider } from '../../shared/app-services.tsx'
import { dialogs } from '../../shared/dialogs.ts'
import { unsentWork } from '../../shared/navigation/unsent.ts'
import { personById, storePeople } from '../../shared/people/people.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { holdToasts, mountToasts, showToast } from '../../shared/toasts.ts'
import { bootstrap } from '../bootstrap.ts'

const ANNA = { phase: 'ready', auth: { user: { id: 1, country: 'DE' } } }
const BORIS = { phase: 'ready', auth: { user: { id: 2, country: null } } }

let root: Root
let own: OwnDraft
let publish: (event: 'identity' | 'logout', auth?: object) => void
const hideAll = vi.fn()
const shown: unknown[] = []
let unmountToasts: () => void
let snapshot: object

function Draft() {
  own = useDraft()
  return null
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {} }))
  const listeners: [string, (value: unknown) => void][] = []
  publish = (event, auth) => {
    for (const [name, listener] of listeners) if (name === event) listener(auth)
  }
  snapshot = ANNA
  const connection = {
    getSnapshot: () => snapshot,
    subscribe: () => () => {},
    on(name: string, listener: (value: unknown) => void) {
      listeners.push([name, listener])
      return () => {}
    },
    start() {},
    system: () => new Promise(() => {}),
    http: { get: () => new Promise(() => {}), post: () => new Promise(() => {}) },
  } as unknown as ClientConnection
  const queries = createQueryClient()
  const services = { connection, persistence: persistence(memoryStore()), report() {} }
  bootstrap({ ...services, queries })
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(
      <QueryClientProvider client={queries}>
        <AppServicesProvider services={services}>
          <Draft />
        </AppServicesProvider>
      </QueryClientProvider>,
    ),
  )
  shown.length = 0
  hideAll.mockReset()
  unmountToasts = mountToasts(({ title }) => void shown.push(title), hideAll)
  await leaveTraces({ connection, queries })
})
afterEach(() => {
  act(() => root.unmount())
  holdToasts(false)
  unmountToasts()
  dialogs.closeAll()
  vi.unstubAllGlobals()
})

let closed: Promise<unknown>

/** Anna leaves something in every store of her account. */
async function leaveTraces(sender: Parameters<typeof addFiles>[0]): Promise<void> {
  holdToasts(true)
  showToast({ title: 'A message from Boris' })
  closed = dialogs.ask('not_balance', {})
  storePeople([{ id: 7, nick: 'Carl' } as Parameters<typeof storePeople>[0][number]])
  addFiles(sender, { kind: 'photo', isAdult: false }, [new File(['anna'], 'passport.jpg')])
  arrivedFiles.set({ photo: 1, video: 0 })
  const front = new File(['anna'], 'front.jpg')
  await act(async () => own.change({ front } as unknown as Parameters<OwnDraft['change']>[0]))
  expect(own.draft.front).not.toBeNull()
  expect([...unsentWork.getSnapshot()].sort()).toEqual(['uploads', 'verification'])
}

async function expectNoTraces(): Promise<void> {
  expect(dialogs.getSnapshot()).toEqual([])
  expect(await closed).toBeUndefined()
  expect(hideAll).toHaveBeenCalled()
  holdToasts(false)
  expect(shown).toEqual([])
  expect(personById(7)).toBeUndefined()
  expect(uploads.getSnapshot()).toEqual([])
  expect(arrivedFiles.getSnapshot()).toEqual({ photo: 0, video: 0 })
  expect(own.draft.front).toBeNull()
  expect(unsentWork.getSnapshot().size).toBe(0)
}

test('toasts, dialogs, people, uploads and drafts of one account are gone when another account signs in', async () => {
  snapshot = BORIS
  await act(async () => publish('identity', BORIS.auth))
  await expectNoTraces()
})

test('toasts, dialogs, people, uploads and drafts of an account are gone when it signs out', async () => {
  await act(async () => publish('logout'))
  await expectNoTraces()
})

test('the login dialog stays open when it has signed another account in, and its caller receives the answer', async () => {
  const loggedIn = dialogs.ask('login', {})
  await act(async () => publish('identity', BORIS.auth))
  const open = dialogs.getSnapshot()
  expect(open.map(({ name }) => name)).toEqual(['login'])
  dialogs.close(open[0]!.key, true)
  expect(await loggedIn).toBe(true)
})
