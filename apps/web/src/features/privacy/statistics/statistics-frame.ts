import type { Session } from '@duet/protocol'
import type { Goal } from '@duet/protocol/kernel/entities.ts'
import { statisticsConsent } from '../../../shared/account/statistics-consent.ts'
import type { AppServices } from '../../../shared/app-services.tsx'

const GOALS: Readonly<Record<Session['state'], Goal>> = {
  public: 'random_video_chat',
  private: 'direct_call',
}

let frame: { readonly element: HTMLIFrameElement; readonly loaded: Promise<void> } | undefined

statisticsConsent.subscribe(() => {
  if (!isPermitted()) closeFrame()
})

/**
 * Sends the goal of a call to the frame in which the scripts of the services run. The first goal opens the frame. The
 * sandbox gives it an origin of its own: the scripts reach nothing of this page, and the frame takes the names of goals only.
 */
export async function sendGoal(
  connection: AppServices['connection'],
  state: Session['state'],
): Promise<void> {
  const { features } = await connection.system()
  if (!features.analytics.on || !isPermitted()) return
  frame ??= openFrame()
  const { element, loaded } = frame
  await loaded
  // The origin of the frame has no name.
  element.contentWindow?.postMessage(GOALS[state], '*')
}

function isPermitted(): boolean {
  return statisticsConsent.getSnapshot() === true
}

/** Ends the scripts of the services. */
function closeFrame(): void {
  frame?.element.remove()
  frame = undefined
}

function openFrame(): NonNullable<typeof frame> {
  const element = document.createElement('iframe')
  element.hidden = true
  element.title = 'Statistics'
  element.setAttribute('sandbox', 'allow-scripts')
  // The frame does not learn the address of the page.
  element.referrerPolicy = 'no-referrer'
  element.src = '/statistics'
  const loaded = new Promise<void>((resolve) =>
    element.addEventListener('load', () => resolve(), { once: true }),
  )
  document.body.append(element)
  return { element, loaded }
}
