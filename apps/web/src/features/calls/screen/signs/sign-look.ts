import { ON_PICTURE } from '../../../../shared/video/on-picture.ts'

/** A sign on the picture: a problem of the call, while it lasts. */
export const SIGN = `note flex min-h-9 items-center gap-2 rounded-full px-3.5 text-text ${ON_PICTURE}`
