import type { Grade } from '@touchstone/contract';
import { getGradeOutline } from '@touchstone/ui';
import type { ReactNode } from 'react';
import { GRADE_COLORS } from '../badge/grade-colors.ts';

/** Width and height of every picture, in pixels. Networks that show link previews recommend this size. */
export const PICTURE_SIZE = { width: 1200, height: 630 } as const;

/** Colors of the pictures: those of the chart background in the theme of the site (libs/ui/src/theme.css). */
export const PICTURE_COLORS = {
  stone: '#1c2124',
  line: '#384045',
  ink: '#eef0eb',
  soft: '#aeb7b9',
  gold: '#dcb045',
} as const;

/** Frame of every picture: the background, a gold edge at the top, the content, and the name of the site. */
export function PictureFrame({ note, children }: { readonly note: string; readonly children: ReactNode }) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: '100%',
        height: '100%',
        padding: '56px 64px 44px',
        borderTop: `14px solid ${PICTURE_COLORS.gold}`,
        backgroundColor: PICTURE_COLORS.stone,
        color: PICTURE_COLORS.ink,
        fontFamily: 'Besley',
      }}
    >
      <div style={{ display: 'flex', flexDirection: 'column', flexGrow: 1 }}>{children}</div>
      <div
        style={{
          display: 'flex',
          alignItems: 'center',
          justifyContent: 'space-between',
          paddingTop: 26,
          borderTop: `2px solid ${PICTURE_COLORS.line}`,
          fontSize: 30,
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', fontSize: 38, fontWeight: 700 }}>
          <Stone />
          <div style={{ marginLeft: 18 }}>Touchstone</div>
        </div>
        <div style={{ color: PICTURE_COLORS.soft }}>{note}</div>
      </div>
    </div>
  );
}

/** Logo of the site (libs/ui/src/frame/logo.tsx) with fixed colors. */
function Stone() {
  return (
    <svg width="60" height="60" viewBox="0 0 32 32">
      <path d="M7 2h18l5 5v18l-5 5H7l-5-5V7z" fill="#07090a" stroke={PICTURE_COLORS.line} strokeWidth="1.5" />
      <path d="M6.5 20.6 24.8 8.4l1.5 2.5L8.2 23.4z" fill={PICTURE_COLORS.gold} />
      <path d="M10.4 24.6 26 14l.7 1.2-15.4 10.6z" fill={PICTURE_COLORS.gold} opacity="0.55" />
    </svg>
  );
}

/** Mark of a grade: its shape, in its color, with its letter. */
export function GradePlate({ grade, width }: { readonly grade: Grade; readonly width: number }) {
  const { plate, text } = GRADE_COLORS[grade];
  const height = Math.round((width * 56) / 48);
  return (
    <div
      style={{
        display: 'flex',
        position: 'relative',
        alignItems: 'center',
        justifyContent: 'center',
        width,
        height,
        flexShrink: 0,
      }}
    >
      <svg
        width={width}
        height={height}
        viewBox="0 0 48 56"
        style={{ position: 'absolute', top: 0, left: 0 }}
      >
        <path d={getGradeOutline(grade)} fill={plate} stroke={PICTURE_COLORS.ink} strokeWidth="1" />
      </svg>
      <div
        style={{
          display: 'flex',
          fontSize: Math.round(width * 0.64),
          fontWeight: 700,
          lineHeight: 1,
          marginBottom: Math.round(width * 0.1),
          color: text,
        }}
      >
        {grade}
      </div>
    </div>
  );
}
