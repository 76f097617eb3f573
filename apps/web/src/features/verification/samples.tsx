import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { ReadCvLogoIcon } from '@phosphor-icons/react/dist/csr/ReadCvLogo'

/** Drawings of a good picture: the whole document, and its back. */
export function FrontSample() {
  return (
    <span
      aria-hidden="true"
      className="flex h-3/4 w-3/4 items-center justify-center rounded-field border border-dashed border-line-strong"
    >
      <IdentificationCardIcon size={56} weight="duotone" />
    </span>
  )
}

export function BackSample() {
  return (
    <span
      aria-hidden="true"
      className="flex h-3/4 w-3/4 items-center justify-center rounded-field border border-dashed border-line-strong"
    >
      <ReadCvLogoIcon size={56} weight="duotone" />
    </span>
  )
}
