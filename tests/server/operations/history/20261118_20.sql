UPDATE match_seats SET board_shape = 'serpentine of 7 columns', language = 'de', device = 'phone', viewport_width = 360,
    viewport_height = 640, input = 'touch' WHERE match_id = 1 AND seat = 0;
