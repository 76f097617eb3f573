import { limits } from '@duet/protocol/kernel/limits.ts'
import { RefusedError } from '../../shared/app-services.tsx'
import { hasText, t, type TextId } from '../../shared/i18n.ts'

type UploadKind = 'avatar' | 'photo' | 'video'

const BYTES: Readonly<Record<UploadKind, number>> = {
  avatar: limits.avatar_bytes,
  photo: limits.image_bytes,
  video: limits.video_bytes,
}

/** The size that a file may have. */
export function getMegabytes(kind: UploadKind): number {
  return BYTES[kind] / (1024 * 1024)
}

/** The sentence beside a failed upload. After every failure the user can send the same file again. */
export function uploadError(error: unknown, kind: UploadKind): string {
  if (!(error instanceof RefusedError)) return t('media.upload.unanswered')
  const { refusal, additional } = error
  if (refusal === 'too_large' && typeof additional.limit === 'string')
    return t('media.upload.no_space')
  if (refusal === 'too_large' && typeof additional.seconds_max === 'number')
    return t('media.upload.too_long', { seconds: additional.seconds_max })
  if (refusal === 'too_large')
    return t(`media.upload.too_large_${kind}`, { megabytes: getMegabytes(kind) })
  if (refusal === 'wrong_type')
    return t(`media.upload.wrong_type_${kind}`, { megabytes: getMegabytes(kind) })
  const id = `error.${refusal}`
  return hasText(id) ? t(id as TextId) : t('error.undefined')
}
