import { useKeys } from '../../../shared/controls/use-keys.ts'
import { useCallCommands } from '../call-context.tsx'
import { useLocalMedia, useMediaDevices } from '../../../shared/video/local-media.tsx'
import type { RunningCall } from '../calls-state.ts'

interface CallKeys {
  call: RunningCall
  isConnected: boolean
  onPanel: () => void
  onText: () => void
  onHelp: () => void
}

/** Focuses the text field once it is on screen. */
function focusComposer(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
}

/** Each control has a letter. End needs more than one key, so that no mistyped letter ends a call. */
export function useCallKeys({ call, isConnected, onPanel, onText, onHelp }: CallKeys): void {
  const media = useMediaDevices()
  const { camera, microphone } = useLocalMedia()
  const commands = useCallCommands()
  useKeys({
    M: () => media.setMicrophone(microphone === 'off'),
    V: () => void media.setCamera(camera === 'off'),
    N: () => void commands.leave('next'),
    P: () => isConnected && call.session.state === 'public' && void commands.askPrivate(),
    H: onPanel,
    T: () => {
      onText()
      focusComposer()
    },
    '?': onHelp,
    Enter: () => call.ask && void commands.answerPrivate(true),
    Escape: () => call.ask && void commands.answerPrivate(false),
  })
}
