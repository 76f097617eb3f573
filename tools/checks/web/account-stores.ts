/**
 * If another account signs in, a store of the web client empties itself (`createAccountStore`). Stores that
 * outlive an account are listed here, each with its reason.
 */
import { lineAt } from '../../source/parse.ts'
import type { Tree } from '../../tree.ts'

/** Paths below `apps/web/src/`. */
const OUTLIVES_ACCOUNT: Readonly<Record<string, string>> = {
  'app/application.tsx': 'the runtime of the page',
  'app/errors/outage.ts': 'an outage of the page',
  'app/layout/nav-items.ts': 'the entries that the features add',
  'app/video/video-runtime.ts': 'reduced from AUTH, which ends a call of another account',
  'features/devices/device-gate.ts': 'camera and microphone of the device',
  'features/identity/theme.ts': 'a setting of the device',
  'shared/account/account-store.ts': 'the constructor of account stores',
  'shared/account/captcha-view.ts': 'a captcha of the connection',
  'shared/amounts.ts': 'a setting of the installation',
  'shared/connection/takeover.ts': 'the tabs of the browser',
  'shared/controls/loading.ts': 'scripts that the page loads',
  'shared/navigation/connection-line-shown.ts': 'what the layout shows',
  'shared/navigation/entry-params.ts': 'the address of the page',
  'shared/navigation/unsaved.ts': 'the forms on the screen',
  'shared/navigation/unsent.ts': 'derived from the account stores',
  'shared/observable-store.ts': 'the constructor of stores',
  'shared/sound.ts': 'a setting of the device',
  'shared/account/statistics-consent.ts': 'a choice of the device',
  'shared/video/call-choices.ts': 'a setting of the device',
  'shared/video/call-present.ts': 'whether the page has a call',
  'shared/video/call-screen-shown.ts': 'what the layout shows',
  'shared/video/video-in-use.ts': 'camera and microphone of the device',
}
const WEB = 'apps/web/src/'
const CREATES = /\bcreateStore\s*[<(]/

export function ACCOUNT_STORE_FILES(path: string): boolean {
  return path.startsWith(WEB) && /\.tsx?$/.test(path) && !/\.(test|gen)\./.test(path)
}

export function accountStoreComplaints(tree: Tree): string[] {
  const creating = new Set<string>()
  const complaints: string[] = []
  for (const [path, text] of tree) {
    const found = ACCOUNT_STORE_FILES(path) ? CREATES.exec(text) : null
    if (!found) continue
    const name = path.slice(WEB.length)
    creating.add(name)
    if (!Object.hasOwn(OUTLIVES_ACCOUNT, name))
      complaints.push(
        `${path}:${lineAt(text, found.index)}: createAccountStore makes stores; a store that outlives an account is listed with its reason`,
      )
  }
  for (const name of Object.keys(OUTLIVES_ACCOUNT))
    if (!creating.has(name)) complaints.push(`${WEB}${name}: is listed and creates no store`)
  return complaints
}
