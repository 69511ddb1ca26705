byte x;
byte y = x +;
