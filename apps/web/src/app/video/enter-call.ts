import type { LocalMedia } from '@duet/call-engine'
import type { Session } from '@duet/protocol'
import type { CallEntry, CallsState } from '../../features/calls/calls-state.ts'
import { cameraPermission, type DeviceGate } from '../../features/devices/device-gate.ts'
import type { Observable } from '../../shared/observable-store.ts'
import type { VideoEvent } from './video-state.ts'

export interface EnterParts {
  media: LocalMedia
  gate: DeviceGate
  calls: Observable<CallsState>
  apply(event: VideoEvent): void
}

/** How this page begins to take part in a call that AUTH names. */
export interface EnterCall {
  /** After a reload: joins at once if the browser gives the devices without a question, and asks the user otherwise. */
  check(): Promise<void>
  /** The user pressed: opens the devices that the user wants, and joins. */
  enter(options?: { camera?: boolean }): Promise<void>
  /** The devices are open, or the user goes on without them. */
  join(): void
}

export function createEnterCall({ media, gate, calls, apply }: EnterParts): EnterCall {
  function change(entry: CallEntry): void {
    const { call } = calls.getSnapshot()
    if (call && call.entry !== entry)
      apply({ type: 'entry_changed', session_id: call.session.id, entry })
  }
  const isChecking = () => calls.getSnapshot().call?.entry === 'checking'
  return {
    async check() {
      if (!isChecking()) return
      const isGranted =
        media.getSnapshot().status === 'on' || (await cameraPermission()) === 'granted'
      if (!isChecking()) return
      change(isGranted ? 'joined' : 'asking')
      if (isGranted) await gate.resumeDevices(true)
    },
    async enter({ camera = true } = {}) {
      if (!camera) await media.setCamera(false)
      await gate.resumeDevices(true)
      if (gate.getSnapshot() === null) change('joined')
    },
    join: () => change('joined'),
  }
}

/** This page opens no device that another page of the user has switched off. */
export function takeOverWishes(media: LocalMedia, { own_media }: Session): void {
  if (own_media?.video === false) void media.setCamera(false)
  if (own_media?.audio === false) media.setMicrophone(false)
}
