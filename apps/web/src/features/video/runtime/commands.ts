import { act, type CommandParts } from './act.ts'
import { InCallCommands } from './in-call-commands.ts'
import { SearchCommands } from './search-commands.ts'

/** What a person can do in search and calls. Nothing here decides what is shown: it tells the server, and what happened. */
export type CallCommands = Pick<
  SearchCommands,
  'start' | 'allow' | 'closeGate' | 'resume' | 'stop' | 'accept' | 'skip' | 'chooseLanguages'
> &
  Pick<
    InCallCommands,
    'leave' | 'setBreak' | 'askPrivate' | 'answerPrivate' | 'sendText' | 'retryText' | 'typing'
  > & {
    setAutoAccept(on: boolean): Promise<void>
    chooseDevice(kind: 'camera' | 'microphone', device_id: string): Promise<void>
    closeReceipt(): void
    /** The screen is left: nobody would answer an offer any more. A call goes on until it is ended. */
    leavePage(): void
  }

export function createCommands(parts: CommandParts): CallCommands {
  const { session, media, apply, getState } = parts
  const { connection, persistence, report } = session
  const search = new SearchCommands(parts)
  return {
    ...search,
    ...new InCallCommands(parts, search.search),
    async setAutoAccept(on) {
      connection.patchUser({ auto_accept: on })
      try {
        await act(parts, 'UPDATE_PROFILE', { auto_accept: on })
      } catch (error) {
        connection.patchUser({ auto_accept: !on })
        report(error)
      }
    },
    async chooseDevice(kind, device_id) {
      persistence.set(kind === 'camera' ? 'video_device' : 'audio_device', device_id)
      await (kind === 'camera' ? media.chooseCamera(device_id) : media.chooseMicrophone(device_id))
    },
    closeReceipt: () => apply({ what: 'receipt_closed' }),
    leavePage() {
      const { call, search: searching, starting } = getState()
      if (call) return
      if (starting || searching.state === 'waiting' || searching.state === 'offered')
        void search.stop()
      media.release()
    },
  }
}
