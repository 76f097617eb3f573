import type { Crop } from '@duet/protocol'
import type { AppServices } from '../../shared/app-services.tsx'
import { onOtherAccount } from '../../shared/account/account-store.ts'
import { t } from '../../shared/i18n.ts'
import { cutPicture } from '../../shared/media/prepare-picture.ts'
import { markUnsent } from '../../shared/navigation/unsent.ts'
import { showToast } from '../../shared/toasts.ts'

interface AvatarUpload {
  readonly file: File
  readonly crop: Crop
  readonly onProgress: (share: number) => void
}

let underWay = 0
const lastTries = new WeakMap<File, { readonly cut: string; readonly key: string }>()

/** Sends a new avatar, also after its dialog is gone. False: the user logged out meanwhile, and nothing was changed here. */
export async function sendAvatar(
  { connection }: Pick<AppServices, 'connection'>,
  { file, crop, onProgress }: AvatarUpload,
): Promise<boolean> {
  const request = new AbortController()
  const { signal } = request
  const forget = onOtherAccount(() => request.abort())
  mark(1)
  try {
    // The server takes less than the camera of a phone makes. It judges a file that this browser cannot decode.
    const cut = await cutPicture(file, crop)
    if (signal.aborted) return false
    const { avatar, status } = await connection.http.post('avatar', cut ? {} : { crop }, {
      files: { img: cut ?? file },
      onProgress,
      signal,
      idempotency_key: keyFor(file, crop),
    })
    if (signal.aborted) return false
    connection.patchUser({ avatar, avatar_status: status })
    const title = t(status === 'pending' ? 'media.avatar.sent' : 'media.avatar.saved')
    showToast({ id: 'avatar', kind: 'success', title })
    return true
  } catch (failure) {
    if (signal.aborted) return false
    throw failure
  } finally {
    forget()
    mark(-1)
  }
}

/**
 * Every try of a cut has the same key. If an avatar arrived and its answer was lost, the server stores the avatar once.
 */
function keyFor(file: File, crop: Crop): string {
  const cut = JSON.stringify(crop)
  const last = lastTries.get(file)
  if (last?.cut === cut) return last.key
  const key = crypto.randomUUID()
  lastTries.set(file, { cut, key })
  return key
}

/** The closing of the tab and a log-out ask first. */
function mark(change: 1 | -1): void {
  underWay += change
  markUnsent('avatar', underWay > 0)
}
