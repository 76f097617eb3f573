/** Fades while the user is inactive; a touch or a key shows it again, so that no invisible control is pressed. */
export const FADES =
  'transition-opacity duration-scene [[data-quiet]_&]:opacity-0 [[data-quiet]_&]:pointer-events-none!'
