import { useKeys } from '../keys.ts'
import { useCommands, useMedia, useRoom } from '../room.tsx'
import type { RunningCall } from '../state/call-state.ts'

interface CallKeys {
  call: RunningCall
  isConnected: boolean
  onPanel: () => void
  onText: () => void
  onHelp: () => void
}

/** Puts the cursor where one writes, once it is on screen. */
function focusComposer(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-composer]')?.focus())
}

/** `ui.md` section 11: one letter each; End is never a single key. */
export function useCallKeys({ call, isConnected, onPanel, onText, onHelp }: CallKeys): void {
  const { media } = useRoom()
  const { camera, microphone } = useMedia()
  const commands = useCommands()
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
