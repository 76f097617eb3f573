import { choice } from '../../lib/configuration/variables.ts'

export const VIDEO_VARIABLES = {
  VIDEO_SANDBOX: choice('required', 'optional')
    .prefault('required')
    .describe(
      'Production refuses videos where ffmpeg cannot be limited (prlimit) and kept from the network (unshare); optional accepts them there.',
    ),
}
