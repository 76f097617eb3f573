import type { Media } from '@duet/protocol'

/** A photo for component tests, in the form that its reader gets. `change` has the fields of the test. */
export function samplePhoto(change: Partial<Media> = {}): Media {
  return {
    id: '0b6f1c1e-3d61-4e0c-9a0f-1d5b6f4e8a11',
    kind: 'photo',
    url: '/media/x/full',
    width: 600,
    height: 400,
    premium_only: false,
    locked: false,
    status: 'ready',
    like: 0,
    liked: false,
    position: 0,
    ...change,
  }
}
