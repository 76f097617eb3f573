/**
 * Fades while the user is inactive. A touch or a key only shows the control again, so that the user presses no
 * invisible control.
 */
export const FADES =
  'transition-opacity duration-scene [[data-quiet]_&]:opacity-0 [[data-quiet]_&]:pointer-events-none!'
