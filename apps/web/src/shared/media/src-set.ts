import type { PictureVariant } from '@duet/protocol'

/** The stored widths of a picture for `srcset`; undefined where there is one address only. */
export function findSrcSet(variants: readonly PictureVariant[] | undefined): string | undefined {
  if (!variants?.length) return undefined
  return variants.map(({ width, url }) => `${url} ${width}w`).join(', ')
}
