import { Dialog, KeyCap } from '@duet/ui'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { t, type TextId } from '../../../shared/i18n.ts'
import { useKeys, type KeyMap } from '../../../shared/controls/use-keys.ts'
import { useCallChoices } from '../../../shared/video/call-choices.ts'
import { useGift } from '../../../shared/gifts/gift-button.tsx'
import { useLike } from '../../../shared/people/use-like.ts'
import { useCallCommands } from '../call-context.tsx'
import { useLocalMedia, useMediaDevices } from '../../../shared/video/local-media.tsx'
import type { RunningCall } from '../calls-state.ts'
import { reportPartner } from './safety-buttons.tsx'

const keys: readonly [key: string, text: TextId][] = [
  ['M', 'device.microphone'],
  ['V', 'device.camera'],
  ['N', 'action.next_person'],
  ['G', 'gift.short'],
  ['L', 'video.keys.like'],
  ['P', 'action.ask_private'],
  ['T', 'video.keys.text'],
  ['H', 'video.keys.panel'],
  ['R', 'action.report'],
  ['!', 'video.safety.panic'],
  ['?', 'video.keys.help'],
]

export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  useBackEntry(open, onClose)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('video.keys.title')}
      closeLabel={t('action.close')}
    >
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-5 gap-y-3.5">
        {keys.map(([key, text]) => (
          <div key={key} className="contents">
            <dt>
              <KeyCap>{key}</KeyCap>
            </dt>
            <dd className="body">{t(text)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

interface CallKeys {
  call: RunningCall
  isConnected: boolean
  onPanel: () => void
  onText: () => void
  onHelp: () => void
}

/** Each control has a letter. End needs more than one key, so that no mistyped letter ends a call. */
export function useCallKeys({ call, isConnected, onPanel, onText, onHelp }: CallKeys): void {
  const media = useMediaDevices()
  const { camera, microphone } = useLocalMedia()
  const { id: session_id, user_interlocutor: person } = call.session
  const gift = useGift({ person, session_id })
  const commands = useCallCommands()
  const { keys: areOn } = useCallChoices()
  const { toggle: like } = useLike(call.session.user_interlocutor, {
    sessionId: call.session.id,
  })
  const letters: KeyMap = {
    M: () => media.setMicrophone(microphone !== 'on'),
    V: () => void media.setCamera(camera !== 'on' && camera !== 'stalled'),
    N: () => call.session.kind !== 'direct' && void commands.leave('next'),
    P: () => isConnected && call.session.state === 'public' && void commands.askPrivate(),
    H: onPanel,
    T: onText,
    G: () => isConnected && gift?.(),
    L: () => isConnected && like(),
    R: () => isConnected && reportPartner(call),
    'Shift+!': () => void commands.panic(),
    '?': onHelp,
  }
  useKeys({
    ...(areOn && letters),
    Enter: () => call.ask && void commands.answerPrivate(true),
    Escape: () => call.ask && void commands.answerPrivate(false),
  })
}
